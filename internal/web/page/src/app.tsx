// The frame of the page: modes, address, light and dark, and whether the server is there.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type About, type Certificate, get } from "./server";
import { failure, useConnection, watch } from "./connection";
import { Cluster } from "./cluster";
import { Explore } from "./explore";
import { Icon } from "./icon";
import { keyOf, useGame } from "./game";
import { Learn } from "./learn";
import { link, type Mode, MODES, place, PLAY, START } from "./link";
import { Papers } from "./papers";
import { Play } from "./play";
import { Results } from "./results";
import { kept } from "./kept";
import { lastPlayed } from "./last";
import { LESSONS } from "./lessons";
import { Start } from "./start";
import { type Language, language, LANGUAGES, speak, text } from "./strings";
import { Why } from "./why";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const before = kept.read("theme");
    return THEMES.find((t) => t === before) ?? "auto";
  });
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    kept.write("theme", theme);
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length])];
}

function Languages({ onChange }: { onChange(): void }) {
  const choose = async (wanted: Language) => {
    kept.write("language", wanted);
    await speak(wanted);
    onChange();
  };
  return (
    <select class="language" aria-label={text.language} value={language} onChange={(e) => void choose(e.currentTarget.value as Language)}>
      {Object.entries(LANGUAGES).map(([l, title]) => <option key={l} value={l} lang={l}>{title}</option>)}
    </select>
  );
}

// useNotice is what a page without a server says of itself, such as that it cannot be kept.
function useNotice(): string | undefined {
  const read = () => (globalThis as { tengenNotice?: string }).tengenNotice;
  const [notice, setNotice] = useState(read);
  useEffect(() => {
    const l = () => setNotice(read);
    addEventListener("tengen-notice", l);
    return () => removeEventListener("tengen-notice", l);
  }, []);
  return notice && text.problems[notice]?.("");
}

// A page in another language is made anew: the address and what is kept have all of it.
export function App() {
  const [version, setVersion] = useState(0);
  return <Page key={version} onLanguage={() => setVersion(version + 1)} />;
}

function Page({ onLanguage }: { onLanguage(): void }) {
  const [first] = useState(() => place(location.hash));
  const [mode, setMode] = useState<Mode>(first.mode);
  const [unknown, setUnknown] = useState(first.unknown);
  const [torn, setTorn] = useState(first.torn);
  const [pick, setPick] = useState(first.pick && { key: keyOf(first.question), move: first.pick });
  const game = useGame(first.question, first.lines, first.endless);
  const [theme, nextTheme] = useTheme();
  const { down, epoch } = useConnection();
  const [about, setAbout] = useState<About>();
  const [review, setReview] = useState(false); // is asked for elsewhere than in Play
  const [dropped, setDropped] = useState<File>(); // a certificate, elsewhere than in Why?
  const [certificate, setCertificate] = useState<Certificate>(); // that was checked
  const shown = useRef("");
  const entry = useRef(game.entry);
  const followed = useRef(false);
  const notice = useNotice();
  useEffect(watch, []);

  useEffect(() => {
    get("about").then(setAbout, failure);
  }, [epoch]);

  // The address follows the board; going back and forth follows the address. Both are done before the browser
  // goes on: the next Back may come before anything is drawn.
  const picked = pick && pick.key === keyOf(game.question) ? pick.move : undefined;
  const address = (m: Mode) => link(m, game.question, { lines: game.lines, endless: game.endless, pick: picked });
  const here = address(mode);
  useLayoutEffect(() => {
    // A move, a new board and another mode are entries of their own, which Back takes back.
    const another = !!shown.current && (shown.current.split("?")[0] !== here.split("?")[0] || entry.current !== game.entry);
    const push = another && !followed.current;
    entry.current = game.entry;
    followed.current = false;
    document.title = text.title(mode);
    if (shown.current === here) return;
    history[push ? "pushState" : "replaceState"]({ ours: true }, "", here);
    shown.current = here;
  }, [here, game.entry]);
  useLayoutEffect(() => {
    const follow = (e: Event) => {
      if (location.hash === shown.current) return;
      const to = place(location.hash);
      shown.current = location.hash;
      followed.current = true;
      setUnknown(to.unknown);
      setTorn(to.torn);
      setPick(to.pick && { key: keyOf(to.question), move: to.pick });
      setMode(to.mode);
      game.setEndless(to.endless);
      if (to.mode === "start") return;
      // Back and Forward keep the tree of a game. A link that somebody opens begins anew.
      if (e instanceof PopStateEvent && e.state) game.follow(to.question, to.lines);
      else {
        game.load(to.question, to.lines);
        history.replaceState({ ours: true }, ""); // from now on it is a place in this game
      }
    };
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("hashchange", follow);
    };
  });

  const open = (next: Mode) => {
    setUnknown(undefined);
    setTorn(false);
    // A visitor who only wants to play finds a board worth playing on: the last one, or one for the first visit.
    const last = lastPlayed();
    const untouched = keyOf(game.question) === keyOf(last ?? START) && !game.top.children.length;
    if (next === "play" && untouched && !last) game.load(PLAY);
    if (next === "learn" && untouched) game.load(LESSONS.row);
    setMode(next);
  };

  return (
    <>
      <header>
        <a class="brand" href="#/start">tengen</a>
        <nav aria-label={text.modes}>
          {MODES.filter((m) => m !== "start" && (m !== "papers" || m === mode) && (m !== "cluster" || m === mode || about?.cluster)).map((m) => (
            <a key={m} href={address(m)} aria-current={m === mode ? "page" : undefined} onClick={(e) => {
              if (e.ctrlKey || e.metaKey || e.shiftKey) return;
              e.preventDefault();
              open(m);
            }}>
              {text.modeNames[m]}
            </a>
          ))}
        </nav>
        <Languages onChange={onLanguage} />
        <button type="button" class="theme" aria-label={text.themeIs(text.themes[theme])} title={text.themeIs(text.themes[theme])} onClick={nextTheme}>
          <Icon name={theme} />
        </button>
      </header>
      <div aria-live="assertive">{down && <p class="banner" data-testid="gone">{text.serverGone}</p>}</div>
      <div aria-live="polite">{notice && <p class="notice" data-testid="notice">{notice}</p>}</div>
      <main>
        <h1 class="hidden">{text.title(mode)}</h1>
        {unknown && <p class="fault wide" role="alert">{text.unknownMode(unknown)}</p>}
        {torn && <p class="fault wide" role="alert">{text.tornTree}</p>}
        {mode === "start" && <Start />}
        {mode === "explore" && <Explore game={game} about={about} onReview={() => (setReview(true), open("play"))} onCertificate={(file) => (setDropped(file), open("why"))} />}
        {mode === "why" && <Why game={game} about={about} picked={picked} onPick={(move) => setPick({ key: keyOf(game.question), move })} dropped={dropped} onOpened={() => setDropped(undefined)} certificate={certificate} onCertificate={setCertificate} />}
        {mode === "play" && <Play game={game} about={about} review={review} onReview={() => setReview(false)} />}
        {mode === "learn" && <Learn game={game} about={about} />}
        {mode === "results" && <Results />}
        {mode === "papers" && <Papers />}
        {mode === "cluster" && <Cluster about={about} />}
      </main>
      <footer>{about ? text.version(about.version) : ""} <a href="openapi.yaml">{text.api}</a></footer>
    </>
  );
}
