// The frame of the page: modes, address, light and dark, and whether the server is there.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type About, get } from "./api";
import { failure, useConnection, watch } from "./connection";
import { Cluster } from "./cluster";
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
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length])];
}

export function App() {
  const [first] = useState(() => place(location.hash));
  const [mode, setMode] = useState<Mode>(first.mode);
  const [unknown, setUnknown] = useState(first.unknown);
  const [torn, setTorn] = useState(first.torn);
  const [pick, setPick] = useState(first.pick && { key: keyOf(first.question), move: first.pick });
  const game = useGame(first.question, first.lines, first.endless);
  const [theme, nextTheme] = useTheme();
  const { down, epoch } = useConnection();
  const [about, setAbout] = useState<About>();
  const shown = useRef("");
  useEffect(watch, []);

  useEffect(() => {
    get<About>("about").then(setAbout, failure);
  }, [epoch]);

  // The address follows the board; going back and forth follows the address.
  const picked = pick && pick.key === keyOf(game.question) ? pick.move : undefined;
  const address = (m: Mode) => link(m, game.question, { lines: game.lines, endless: game.endless, pick: picked });
  const here = address(mode);
  useEffect(() => {
    if (shown.current === here) return;
    const sameMode = shown.current.startsWith(`#/${mode}?`) || !shown.current;
    history[sameMode ? "replaceState" : "pushState"](null, "", here);
    shown.current = here;
    document.title = text.title(mode);
  }, [here]);
  useLayoutEffect(() => {
    const follow = () => {
      if (location.hash === shown.current) return;
      const to = place(location.hash);
      shown.current = location.hash;
      setUnknown(to.unknown);
      setTorn(to.torn);
      setPick(to.pick && { key: keyOf(to.question), move: to.pick });
      setMode(to.mode);
      game.setEndless(to.endless);
      game.load(to.question, to.lines);
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
    setTorn(false);
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
          {MODES.filter((m) => m !== "cluster" || m === mode || about?.cluster).map((m) => (
            <a key={m} href={address(m)} aria-current={m === mode ? "page" : undefined} onClick={(e) => {
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
        {unknown && <p class="fault wide" role="alert">{text.unknownMode(unknown)}</p>}
        {torn && <p class="fault wide" role="alert">{text.tornTree}</p>}
        {mode === "explore" && <Explore game={game} about={about} />}
        {mode === "why" && <Why game={game} about={about} picked={picked} onPick={(move) => setPick({ key: keyOf(game.question), move })} />}
        {mode === "play" && <Play game={game} about={about} />}
        {mode === "learn" && <Learn game={game} about={about} />}
        {mode === "results" && <Results />}
        {mode === "cluster" && <Cluster about={about} />}
      </main>
      <footer>{about ? text.version(about.version) : ""} <a href="openapi.yaml">{text.api}</a></footer>
    </>
  );
}
