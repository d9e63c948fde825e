// Review: what every position of a game was worth, and where something was given away.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Finding, type News, post, type Question } from "./api";
import { analyse } from "./analysis";
import { failure } from "./connection";
import { type Game, keyOf, type Node, path } from "./game";
import { percent, points } from "./judgement";
import { Section } from "./parts";
import { text } from "./strings";

// Worth is a position seen by Black: a chance from 0 to 1, or points of Go.
interface Worth {
  value?: number;
  exact: boolean;
}

const PATIENCE = 1500; // milliseconds for a position that is not known at once

function worth(best: Finding | undefined, toPlay: "b" | "w"): Worth {
  if (best?.grade === "exact" && best.winner) return { value: best.winner === "black" ? 1 : 0, exact: true };
  if (best?.score !== undefined && best.grade === "exact") return { value: best.score, exact: true };
  if (best?.win_share !== undefined && best.grade === "estimated") return { value: toPlay === "b" ? best.win_share : 1 - best.win_share, exact: false };
  return { exact: false };
}

async function judge(question: Question, toPlay: "b" | "w", signal: AbortSignal): Promise<Worth> {
  const known = await post<News & { known?: boolean }>("probe", question, signal);
  const at = worth(known.best, toPlay);
  if (at.exact) return at;
  const stop = new AbortController();
  const end = () => stop.abort();
  signal.addEventListener("abort", end);
  const timer = setTimeout(end, PATIENCE);
  let best: Finding | undefined;
  try {
    await analyse(question, stop.signal, (a) => {
      best = a.best ?? best;
      if (worth(best, toPlay).exact) end();
    });
  } catch (e) {
    if (signal.aborted || !stop.signal.aborted) throw e;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
  return worth(best, toPlay);
}

interface Mistake {
  node: Node;
  ply: number;
  words: string;
}

function mistakes(nodes: Node[], worths: Worth[], first: "b" | "w", score: boolean): Mistake[] {
  const list: Mistake[] = [];
  for (let i = 1; i < worths.length; i++) {
    const before = worths[i - 1];
    const after = worths[i];
    if (before.value === undefined || after.value === undefined) continue;
    const black = (first === "b") === (i % 2 === 1);
    const lost = black ? before.value - after.value : after.value - before.value;
    const exact = before.exact && after.exact;
    if (exact ? lost <= 0 : score || lost < 0.2) continue;
    const node = nodes[i - 1];
    const words = score ? text.threwPoints(node.move, lost) : exact ? text.threwWin(node.move) : text.maybeMistake(node.move, percent(lost));
    list.push({ node, ply: i, words });
  }
  return list;
}

function Curve({ worths, score, span, here, onPick }: { worths: Worth[]; score: boolean; span: number; here: number; onPick(ply: number): void }) {
  const w = 320;
  const h = 120;
  const n = Math.max(1, worths.length - 1);
  const x = (i: number) => 14 + (i * (w - 28)) / n;
  const y = (v: number) => 12 + (h - 24) * (score ? 0.5 - v / (2 * span) : 1 - v);
  const known = worths.map((v, i) => ({ ...v, i })).filter((v) => v.value !== undefined);
  return (
    <svg class="curve" viewBox={`0 0 ${w} ${h}`} role="img" aria-label={text.curve} onClick={(e) => {
      const box = e.currentTarget.getBoundingClientRect();
      onPick(Math.max(0, Math.min(n, Math.round((((e.clientX - box.left) / box.width) * w - 14) / ((w - 28) / n)))));
    }}>
      <line class="axis" x1={14} x2={w - 14} y1={y(score ? 0 : 0.5)} y2={y(score ? 0 : 0.5)} />
      <line class="here" x1={x(here)} x2={x(here)} y1={6} y2={h - 6} />
      <polyline points={known.map((v) => `${x(v.i)},${y(v.value!)}`).join(" ")} />
      {known.map((v) => <circle key={v.i} class={v.exact ? "exact" : "guess"} cx={x(v.i)} cy={y(v.value!)} r={n > 60 ? 2 : 3.5}><title>{text.curvePoint(v.i, score ? points(v.value!) : percent(v.value!), v.exact)}</title></circle>)}
    </svg>
  );
}

export function Review({ game }: { game: Game }) {
  const [worths, setWorths] = useState<Worth[]>([]);
  const [nodes, setNodes] = useState<Node[]>([]);
  const [running, setRunning] = useState(false);
  const [wrong, setWrong] = useState("");
  const abort = useRef<AbortController | undefined>(undefined);
  const start = keyOf(game.start);
  useEffect(() => {
    setWorths([]);
    setNodes([]);
    return () => abort.current?.abort();
  }, [start, game.top]);

  const first = game.start.to_play ?? "b";
  const run = async () => {
    const stop = new AbortController();
    abort.current = stop;
    let last = game.here;
    while (last.next ?? last.children[0]) last = last.next ?? last.children[0];
    const line = path(last);
    setNodes(line);
    setWorths([]);
    setWrong("");
    setRunning(true);
    try {
      const found: Worth[] = [];
      for (let i = 0; i <= line.length; i++) {
        const toPlay = (first === "b") === (i % 2 === 0) ? "b" : "w";
        const moves = line.slice(0, i).map((n) => n.move);
        found.push(await judge({ ...game.start, moves }, toPlay, stop.signal));
        setWorths([...found]);
      }
    } catch (e) {
      setWrong(failure(e)?.message ?? "");
    }
    setRunning(false);
  };
  if (!game.here.parent && !game.here.children.length && !worths.length) return null;
  const score = game.start.game === "go";
  const found = mistakes(nodes, worths, first, score);
  return (
    <Section title={text.review}>
      <div class="buttons">
        {running ? (
          <button type="button" onClick={() => abort.current?.abort()}>{text.stop}</button>
        ) : (
          <button type="button" onClick={run}>{text.reviewGame}</button>
        )}
      </div>
      {wrong && <p class="fault" role="alert">{wrong}</p>}
      {worths.length > 0 && (
        <>
          <Curve worths={worths} score={score} span={game.signs.length * game.signs[0].length} here={path(game.here).length} onPick={(i) => game.go(i ? nodes[i - 1] : game.top)} />
          <p class="dim">{text.curveExplained(score)}</p>
          <div aria-live="polite">
            {found.length ? (
              <ul class="mistakes">
                {found.map((m) => (
                  <li key={m.ply}>
                    <button type="button" class="link" onClick={() => game.go(m.node.parent!)}>{text.moveNumber(m.ply)}</button> {m.words}
                  </li>
                ))}
              </ul>
            ) : (
              !running && <p>{text.noMistakes}</p>
            )}
          </div>
        </>
      )}
    </Section>
  );
}
