import { render } from "preact";
import { App } from "./app";
import { chosen, speak } from "./strings";
import "./style.css";

await speak(chosen());
render(<App />, document.getElementById("app")!);
