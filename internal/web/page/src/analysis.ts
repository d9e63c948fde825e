// The stream of findings about one position.

import { useEffect, useMemo, useState } from "preact/hooks";
import { type Endless, events, type Finding, type News, type Question, Refused } from "./server";
import { failure, limit, type Problem, useConnection } from "./connection";
import { keyOf } from "./game";

export interface Analysis extends Omit<News, "moves"> {
  moves: Map<string, Finding>;
  status: "off" | "asked" | "queued" | "running" | "done" | "stopped" | "refused";
  place?: number;
  problem?: Problem;
}

const TRIES = 5; // for a stream that ends before it is done

const NOTHING: Analysis = { moves: new Map(), status: "off" };

export interface Control extends Analysis {
  stop(): void;
  resume(): void;
}

function merged(a: Analysis, news: News, status: Analysis["status"]): Analysis {
  const { moves, ...rest } = news;
  const all = new Map(a.moves);
  for (const f of moves ?? []) if (f.move) all.set(f.move, f);
  return { ...a, built: undefined, ...rest, moves: all, status, place: undefined };
}

// analyse runs one analysis and tells every state it goes through.
async function analyse(question: Question & { endless?: Endless }, signal: AbortSignal, tell: (a: Analysis) => void): Promise<Analysis> {
  let state: Analysis = { moves: new Map(), status: "asked" };
  await events("analyse", { ...question, estimates: true, lines: true }, signal, (news) => {
    if (news.event === "queued") state = { ...state, status: "queued", place: news.data.place };
    else if (news.event === "problem") state = { ...state, status: "refused", problem: limit(news.data.message, news.data.code) };
    else state = merged(state, news.data, news.event === "done" ? "done" : "running");
    tell(state);
  });
  return state;
}

// paced shows a search as often as the page can be drawn in a quarter of the time: a board of
// 19×19 takes long, and the reader wants to click.
function paced(show: (a: Analysis) => void): (a: Analysis) => void {
  let latest: Analysis;
  let timer = 0;
  let pause = 0; // milliseconds
  const draw = () => {
    timer = 0;
    const began = performance.now();
    show(latest);
    requestAnimationFrame(() => setTimeout(() => (pause = 3 * (performance.now() - began))));
  };
  return (a) => {
    latest = a;
    if (a.status === "running") return void (timer ||= window.setTimeout(draw, pause));
    clearTimeout(timer);
    draw();
  };
}

export function useAnalysis(question: Question | undefined, endless: Endless = "draw"): Control {
  const key = question && keyOf(question) + endless;
  const { epoch } = useConnection();
  const [run, setRun] = useState(0);
  const [stopped, setStopped] = useState(false);
  const [state, setState] = useState<{ key?: string; analysis: Analysis }>({ analysis: NOTHING });

  // Stopping holds for the position on the board, not for the next one.
  useEffect(() => setStopped(false), [key]);

  useEffect(() => {
    if (!question || stopped) return;
    const abort = new AbortController();
    let retry = 0;
    let torn = 0;
    const begin = async () => {
      const tell = paced((analysis) => !abort.signal.aborted && setState({ key, analysis }));
      try {
        const last = await analyse(endless === "draw" ? question : { ...question, endless }, abort.signal, tell);
        if (last.status === "done" || last.status === "refused") return;
        // Somebody on the way cut the stream. What was decided is kept, so asking again is cheap.
        if (torn++ < TRIES) retry = window.setTimeout(begin, 1000);
        else tell({ ...last, status: "stopped" });
      } catch (e) {
        if (abort.signal.aborted) return;
        const problem = failure(e);
        if (e instanceof Refused && (e.status === 429 || e.status === 503)) retry = window.setTimeout(begin, 1000 * Math.max(1, e.retryAfter));
        // Findings stay when the server is gone. It is asked again when it is back.
        setState((s) => ({ key, analysis: problem ? { ...NOTHING, status: "refused", problem } : { ...(s.key === key ? s.analysis : NOTHING), status: "asked" } }));
      }
    };
    // Paging through a game should not start a search at every step.
    const timer = window.setTimeout(begin, 60);
    return () => {
      clearTimeout(timer);
      clearTimeout(retry);
      abort.abort();
    };
  }, [key, stopped, run, epoch]);

  const analysis = useMemo<Analysis>(() => {
    const known = state.key === key ? state.analysis : NOTHING;
    if (!question) return NOTHING;
    if (stopped && (known.status === "running" || known.status === "queued" || known.status === "asked" || known.status === "off")) return { ...known, status: "stopped" };
    return known.status === "off" ? { ...known, status: "asked" } : known;
  }, [state, key, stopped, !question]);

  return {
    ...analysis,
    stop: () => setStopped(true),
    resume: () => {
      setStopped(false);
      setRun((n) => n + 1);
    },
  };
}
