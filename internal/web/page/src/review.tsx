// Review: what every position of a game was worth, and where something was given away. The
// server judges, as it does for the terminal and for records.

import { useEffect, useRef, useState } from "preact/hooks";
import { events, type Judged, type Reviewed, type Worth } from "./api";
import { failure } from "./connection";
import { endOf, type Game, keyOf, type Node, path } from "./game";
import { percent, points } from "./judgement";
import { Section } from "./parts";
import { text } from "./strings";

// Spot is a position on the curve, seen by Black: a chance from 0 to 1, or points of Go.
interface Spot {
  value?: number;
  exact: boolean;
}

function spot(w: Worth | undefined): Spot {
  if (w?.grade === "exact") return { value: w.score ?? (w.winner === "black" ? 1 : 0), exact: true };
  return { value: w?.share, exact: false };
}

function Curve({ worths, score, span, here, onPick }: { worths: Spot[]; score: boolean; span: number; here: number; onPick(ply: number): void }) {
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
  const [judged, setJudged] = useState<Judged[]>([]); // by the number of the move less one
  const [summary, setSummary] = useState("");
  const [nodes, setNodes] = useState<Node[]>([]);
  const [running, setRunning] = useState(false);
  const [wrong, setWrong] = useState("");
  const abort = useRef<AbortController | undefined>(undefined);
  const start = keyOf(game.start);
  useEffect(() => {
    setJudged([]);
    setNodes([]);
    setSummary("");
    return () => abort.current?.abort();
  }, [start, game.top]);

  const run = async () => {
    const stop = new AbortController();
    abort.current = stop;
    const line = path(endOf(game.here));
    setNodes(line);
    setJudged([]);
    setSummary("");
    setWrong("");
    setRunning(true);
    try {
      const found: Judged[] = [];
      await events("review", { ...game.start, moves: line.map((n) => n.move) }, stop.signal, ({ name, data }) => {
        if (stop.signal.aborted) return;
        if (name === "problem") setWrong((data as { message: string }).message);
        else if (name === "judged") {
          const j = data as Judged;
          found[j.number - 1] = j;
          setJudged([...found]);
        } else if (name === "reviewed") {
          setJudged((data as Reviewed).moves);
          setSummary([(data as Reviewed).summary, ...(data as Reviewed).warnings].join(" "));
        }
      });
    } catch (e) {
      setWrong(failure(e)?.message ?? "");
    }
    setRunning(false);
  };
  if (!game.here.parent && !game.here.children.length && !judged.length) return null;
  const score = game.start.game === "go";
  const worths = nodes.length && judged.length ? [...nodes.map((_, i) => spot(judged[i]?.before)), spot(judged.at(-1)?.after)] : [];
  const found = judged.filter((j) => j?.mistake);
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
            {summary && <p>{summary}</p>}
            {found.length > 0 && (
              <ul class="mistakes">
                {found.map((j) => (
                  <li key={j.number}>
                    <button type="button" class="link" onClick={() => game.go(nodes[j.number - 1].parent!)}>{text.moveNumber(j.number)}</button> {j.says}
                  </li>
                ))}
              </ul>
            )}
          </div>
        </>
      )}
    </Section>
  );
}
