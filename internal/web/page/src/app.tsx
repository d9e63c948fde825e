// The frame of the page: modes, address, light and dark, and whether the server is there.

import { useEffect, useRef, useState } from "preact/hooks";
import { type About, get } from "./api";
import { failure, useConnection } from "./connection";
import { Explore } from "./explore";
import { Icon } from "./icon";
import { keyOf, useGame } from "./game";
import { Learn } from "./learn";
import { link, type Mode, MODES, place, START } from "./link";
import { Play } from "./play";
import { Results } from "./results";
import { text } from "./strings";
import { Why } from "./why";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const kept = localStorage.getItem("theme");
    return THEMES.find((t) => t === kept) ?? "auto";
  });
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length])];
}

export function App() {
  const [first] = useState(() => place(location.hash));
  const [mode, setMode] = useState<Mode>(first.mode);
  const [unknown, setUnknown] = useState(first.unknown);
  const game = useGame(first.question);
  const [theme, nextTheme] = useTheme();
  const { down, epoch } = useConnection();
  const [about, setAbout] = useState<About>();
  const shown = useRef("");

  useEffect(() => {
    get<About>("about").then(setAbout, failure);
  }, [epoch]);

  // The address follows the board; going back and forth follows the address.
  const here = link(mode, game.question);
  useEffect(() => {
    if (shown.current === here) return;
    const sameMode = shown.current.startsWith(`#/${mode}?`) || !shown.current;
    history[sameMode ? "replaceState" : "pushState"](null, "", here);
    shown.current = here;
    document.title = text.title(mode);
  }, [here]);
  useEffect(() => {
    const follow = () => {
      if (location.hash === shown.current) return;
      const to = place(location.hash);
      shown.current = location.hash;
      setUnknown(to.unknown);
      setMode(to.mode);
      game.load(to.question);
    };
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("hashchange", follow);
    };
  }, []);

  const open = (next: Mode) => {
    setUnknown(undefined);
    // A visitor who only wants to play finds a board worth playing on.
    if (next === "play" && keyOf(game.question) === keyOf(START)) game.load({ game: "nogo", size: "9x9" });
    if (next === "learn" && keyOf(game.question) === keyOf(START)) game.load({ game: "nogo", ...text.lessons[1].question });
    setMode(next);
  };

  return (
    <>
      <header>
        <a class="brand" href="#/explore">tengen</a>
        <nav aria-label={text.modes}>
          {MODES.map((m) => (
            <a key={m} href={link(m, game.question)} aria-current={m === mode ? "page" : undefined} onClick={(e) => {
              if (e.ctrlKey || e.metaKey || e.shiftKey) return;
              e.preventDefault();
              open(m);
            }}>
              {text.modeNames[m]}
            </a>
          ))}
        </nav>
        <button type="button" class="theme" aria-label={text.themeIs(theme)} title={text.themeIs(theme)} onClick={nextTheme}>
          <Icon name={theme} />
        </button>
      </header>
      <div aria-live="assertive">{down && <p class="banner" data-testid="gone">{text.serverGone}</p>}</div>
      <main>
        <h1 class="hidden">{text.title(mode)}</h1>
        {unknown && <p class="fault" role="alert">{text.unknownMode(unknown)}</p>}
        {mode === "explore" && <Explore game={game} about={about} />}
        {mode === "why" && <Why game={game} about={about} />}
        {mode === "play" && <Play game={game} about={about} />}
        {mode === "learn" && <Learn game={game} about={about} />}
        {mode === "results" && <Results />}
      </main>
      <footer>{about ? text.version(about.version) : ""} <a href="openapi.yaml">{text.api}</a></footer>
    </>
  );
}
