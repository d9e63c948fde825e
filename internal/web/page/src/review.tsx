// Review: what every position of a game was worth, and where something was given away. The
// server judges, as it does for the terminal and for records. A mistake is shown on the
// board: the move, a better one, and the line that follows it.

import { useEffect, useRef, useState } from "preact/hooks";
import { failure, limit, type Problem, useConnection, useRetry, warned } from "./connection";
import { endOf, type Game, keyOf, type Node, path } from "./game";
import { Icon } from "./icon";
import { type Mark, points, worthSays } from "./judgement";
import { Line, Section } from "./parts";
import { events, type Judged, type Worth } from "./server";
import { text } from "./strings";
import { Trouble } from "./trouble";

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
      {known.map((v) => <circle key={v.i} class={v.exact ? "exact" : "guess"} cx={x(v.i)} cy={y(v.value!)} r={n > 60 ? 2 : 3.5}><title>{text.curvePoint(v.i, score ? points(v.value!) : (v.exact ? text.percent : text.chance)(v.value!), v.exact)}</title></circle>)}
    </svg>
  );
}

// mistakeSays is what a move cost, in the notation of the whole page.
export function mistakeSays(j: Judged): string {
  const lost = j.before.grade === "exact" && j.after.grade === "exact" && j.after.score === undefined;
  const what = lost ? text.mistakeLoses(j.number, j.colour, j.move) : text.mistakeSays(j.number, j.colour, j.move, worthSays(j.before), worthSays(j.after));
  return j.best ? `${what} ${text.betterWas(j.best)}` : what;
}

// marksOf shows a mistake in the position before it.
export function marksOf(j: Judged): Map<string, Mark> {
  const marks = new Map<string, Mark>([[j.move, { kind: "played", text: "✗", says: text.played }]]);
  if (j.best) marks.set(j.best, { kind: "better", text: "1", says: text.better });
  return marks;
}

export interface Reviewing {
  judged: Judged[]; // by the number of the move less one
  nodes: Node[];
  running: boolean;
  problem?: Problem;
  warnings: string[];
  done: boolean;
  mistakes: Judged[];
  shown?: Judged; // the mistake that the board is at
  at?: string; // and its sentence
  marks?: Map<string, Mark>;
  steps?: string[];
  run(): void;
  stop(): void;
  show(j: Judged): void;
}

export function useReview(game: Game): Reviewing {
  const [judged, setJudged] = useState<Judged[]>([]);
  const [warnings, setWarnings] = useState<string[]>([]);
  const [nodes, setNodes] = useState<Node[]>([]);
  const [running, setRunning] = useState(false);
  const [done, setDone] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const abort = useRef<AbortController | undefined>(undefined);
  const cut = useRef(false); // the server went away before the review was done
  const { epoch } = useConnection();
  const start = keyOf(game.start);
  const clear = () => {
    setJudged([]);
    setWarnings([]);
    setProblem(undefined);
    setDone(false);
  };
  useEffect(() => {
    clear();
    setNodes([]);
    cut.current = false;
    return () => abort.current?.abort();
  }, [start, game.top]);

  const run = async () => {
    const stop = new AbortController();
    abort.current = stop;
    cut.current = false;
    const line = path(endOf(game.here));
    setNodes(line);
    clear();
    setRunning(true);
    try {
      const found: Judged[] = [];
      await events("review", { ...game.start, moves: line.map((n) => n.move) }, stop.signal, (news) => {
        if (stop.signal.aborted) return;
        if (news.event === "problem") setProblem(limit(news.data.message, news.data.code));
        else if (news.event === "judged") {
          found[news.data.number - 1] = news.data;
          setJudged([...found]);
        } else if (news.event === "reviewed") {
          setJudged(news.data.moves ?? []);
          setWarnings(warned(news.data));
          setDone(true);
        }
      });
    } catch (e) {
      const problem = failure(e);
      setProblem(problem);
      cut.current = !problem && !stop.signal.aborted;
    }
    setRunning(false);
  };
  useEffect(() => {
    if (cut.current) void run();
  }, [epoch]);

  useRetry(problem, run);
  const mistakes = judged.filter((j) => j?.mistake);
  const shown = mistakes.find((j) => nodes[j.number - 1]?.parent === game.here);
  const made = mistakes.find((j) => nodes[j.number - 1] === game.here);
  return {
    judged,
    nodes,
    running,
    problem,
    warnings,
    done,
    mistakes,
    shown,
    at: shown ? mistakeSays(shown) : made && mistakeSays(made),
    marks: shown && marksOf(shown),
    steps: shown?.line ?? undefined,
    run: () => void run(),
    stop: () => abort.current?.abort(),
    show: (j) => game.go(nodes[j.number - 1].parent!),
  };
}

export function Review({ game, review: r, onLine, onShow }: { game: Game; review: Reviewing; onLine(moves: string[]): void; onShow(): void }) {
  if (!game.here.parent && !game.here.children.length && !r.judged.length) return null;
  const score = game.start.game === "go";
  const worths = r.nodes.length && r.judged.length ? [...r.nodes.map((_, i) => spot(r.judged[i]?.before)), spot(r.judged.at(-1)?.after)] : [];
  const here = path(game.here).length;
  const show = (j: Judged) => (r.show(j), onShow());
  const previous = r.mistakes.findLast((j) => j.number - 1 < here);
  const next = r.mistakes.find((j) => j.number - 1 > here);
  return (
    <Section title={text.review}>
      <div class="buttons">
        {r.running ? (
          <button type="button" onClick={r.stop}>{text.stop}</button>
        ) : (
          <button type="button" onClick={r.run}>{text.reviewGame}</button>
        )}
      </div>
      {game.position && <Trouble problem={r.problem} wanted="review" question={game.question} size={game.position.size} again={r.run} />}
      {r.running && <p aria-live="polite">{text.reviewing(r.judged.filter(Boolean).length, r.nodes.length)}</p>}
      {worths.length > 0 && (
        <>
          <Curve worths={worths} score={score} span={game.signs.length * game.signs[0].length} here={here} onPick={(i) => game.go(i ? r.nodes[i - 1] : game.top)} />
          <p class="dim">{score ? text.curveScore : text.curveShare}</p>
          <div aria-live="polite">
            {r.done && <p data-testid="mistakes">{text.mistakes(r.mistakes.length, r.judged.filter((j) => j?.grade !== "unknown").length, r.judged.length)}</p>}
            {r.warnings.map((w) => <p class="dim" key={w}>{w}</p>)}
          </div>
          {r.mistakes.length > 0 && (
            <>
              <div class="buttons" role="group" aria-label={text.mistakes(r.mistakes.length, 0, 0)}>
                <button type="button" aria-label={text.previousMistake} title={text.previousMistake} disabled={!previous} onClick={() => show(previous!)}><Icon name="back" /></button>
                <button type="button" aria-label={text.nextMistake} title={text.nextMistake} disabled={!next} onClick={() => show(next!)}><Icon name="forward" /></button>
                {r.shown && <span class="what">{text.mistakeAt(r.mistakes.indexOf(r.shown) + 1, r.mistakes.length)}</span>}
              </div>
              <ul class="mistakes">
                {r.mistakes.map((j) => (
                  <li key={j.number}>
                    <button type="button" class="link" aria-current={j === r.shown ? "step" : undefined} onClick={() => show(j)}>{mistakeSays(j)}</button>
                  </li>
                ))}
              </ul>
            </>
          )}
          {r.shown && <Line title={text.betterLine} line={r.shown.line ?? undefined} cut={r.shown.cut} onPlay={onLine} onHover={() => undefined} />}
        </>
      )}
    </Section>
  );
}
