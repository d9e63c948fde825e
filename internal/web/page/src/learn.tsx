// Learn: a position of NoGo falls apart into regions, and their values add up.

import { useEffect, useMemo, useState } from "preact/hooks";
import { LESSONS } from "./lessons";
import { type About, type LearnAnswer, type Position, post, type Region } from "./server";
import { failure, noPosition, type Problem, useConnection, useRetry } from "./connection";
import { type Game, keyOf } from "./game";
import { type Mark } from "./judgement";
import { Section, Setup } from "./parts";
import { openRecord } from "./share";
import { Stage } from "./stage";
import { text } from "./strings";
import { Trouble } from "./trouble";

const COLOURS = 8;
const letter = (i: number) => String.fromCharCode(97 + (i % 26));

const corners = (wall?: (number[] | null)[] | null) => (wall ?? []).filter((c): c is [number, number] => c?.length === 2);

// Thermograph draws the two walls: left (good for Black) is left, the temperature goes up.
function Thermograph({ region }: { region: Region }) {
  const left = corners(region.thermograph?.left);
  const right = corners(region.thermograph?.right);
  const all = [...left, ...right];
  const xs = all.map((p) => p[0]);
  const ys = all.map((p) => p[1]);
  const lo = Math.min(...xs) - 0.5;
  const hi = Math.max(...xs) + 0.5;
  const bottom = Math.min(-1, ...ys);
  const top = Math.max(...ys) + 0.6;
  const w = 220;
  const h = 130;
  const x = (v: number) => 12 + ((hi - v) / (hi - lo)) * (w - 24); // positive values left, as is the custom
  const y = (t: number) => h - 20 - ((t - bottom) / (top - bottom)) * (h - 32);
  const wall = (points: [number, number][]) => {
    const up = [...points].sort((a, b) => a[1] - b[1]);
    const end = up[up.length - 1];
    return [...up, [end[0], top]].map((p) => `${x(p[0])},${y(p[1])}`).join(" ");
  };
  const ticks = [];
  for (let v = Math.ceil(lo); v <= hi; v++) ticks.push(v);
  return (
    <svg class="thermograph" viewBox={`0 0 ${w} ${h}`} role="img" aria-label={text.thermographOf(region.canonical ?? region.title ?? "")}>
      <line class="axis" x1={8} x2={w - 8} y1={y(0)} y2={y(0)} />
      {ticks.map((v) => (
        <g key={v}>
          <line class="axis" x1={x(v)} x2={x(v)} y1={y(0) - 3} y2={y(0) + 3} />
          <text x={x(v)} y={h - 4}>{v}</text>
        </g>
      ))}
      <polyline class="left" points={wall(left)} />
      <polyline class="right" points={wall(right)} />
    </svg>
  );
}

// Value writes a canonical form; some are longer than anyone reads.
function Value({ of }: { of: string }) {
  if (of.length <= 60) return <code>{of}</code>;
  return (
    <details>
      <summary>{text.longValue(of.length)}</summary>
      <code>{of}</code>
    </details>
  );
}

function words({ sum, regions }: LearnAnswer, position: Position): string {
  if (!sum?.outcome || !regions) return text.notValued(regions?.length ?? 0);
  const mover = position.to_play;
  const winner = sum.outcome === "L" ? "b" : sum.outcome === "R" ? "w" : (sum.outcome === "N") === (mover === "b") ? "b" : "w";
  return text.sumSays(regions.length, sum.outcome, mover, winner);
}

export function Learn({ game, about }: { game: Game; about?: About }) {
  const [state, setState] = useState<{ key?: string; answer?: LearnAnswer; problem?: Problem }>({});
  const [fileSays, setFileSays] = useState("");
  const { epoch } = useConnection();
  const [run, setRun] = useState(0);
  const { position } = game;
  const go = game.start.game === "go";
  const key = keyOf(game.question);
  useEffect(() => {
    if (!game.fresh || go) return;
    const stop = new AbortController();
    post("learn", game.question, stop.signal).then(
      (answer) => setState({ key, answer }),
      (e) => !stop.signal.aborted && setState({ key, problem: failure(e) }),
    );
    return () => stop.abort();
  }, [key, game.fresh, epoch, go, run]);
  const again = () => setRun((n) => n + 1);
  useRetry(state.problem, again);
  const { answer, problem } = state.key === key ? state : {};

  const regions = answer?.regions ?? [];
  const marks = useMemo(() => {
    const m = new Map<string, Mark>();
    answer?.regions?.forEach((r, i) => r.points?.forEach((p) => m.set(p, { kind: `region${i % COLOURS}`, text: letter(i), says: text.inRegion(letter(i)) })));
    return m;
  }, [answer]);

  return (
    <div class="layout">
      <Stage game={game} marks={marks} onPoint={game.choose} onFile={async (f) => setFileSays(await openRecord(f, game))} fileSays={fileSays} />
      <div class="column">
        <Section title={text.sum}>
          <div class="verdict" aria-live="polite" data-testid="learn">
            <strong>{go ? text.learnNoGoOnly : answer && position ? words(answer, position) : game.problem ? noPosition(game.problem) : problem ? "" : text.solving}</strong>
            {answer?.sum?.canonical && <span>{text.sumIs} <Value of={answer.sum.canonical} /></span>}
          </div>
          {position && <Trouble problem={problem} wanted="learn" question={game.question} size={position.size} again={again} />}
          <div class="buttons">
            {(Object.keys(LESSONS) as (keyof typeof LESSONS)[]).map((l) => (
              <button key={l} type="button" onClick={() => game.load(LESSONS[l])}>{text.lessonTitles[l]}</button>
            ))}
          </div>
          <p class="dim">{text.learnExplained}</p>
        </Section>
        {regions.map((r, i) => (
          <section class="section region" key={i}>
            <h2><span class={`swatch region${i % COLOURS}`} aria-hidden="true">{letter(i)}</span> {text.region(letter(i), r.points?.length ?? 0)}</h2>
            <dl>
              {r.canonical !== undefined && r.canonical !== "" && <><dt>{text.canonical}</dt><dd><Value of={r.canonical} /></dd></>}
              {r.outcome && <><dt>{text.outcome}</dt><dd>{text.outcomes[r.outcome] ?? r.outcome}</dd></>}
              {r.mean !== undefined && <><dt>{text.mean}</dt><dd>{r.mean}</dd></>}
              {r.temperature !== undefined && <><dt>{text.temperature}</dt><dd>{r.temperature}</dd></>}
              {r.low !== undefined && r.high !== undefined && <><dt>{text.bounds}</dt><dd>{r.low} … {r.high}</dd></>}
            </dl>
            {corners(r.thermograph?.left).length > 0 && corners(r.thermograph?.right).length > 0 && <Thermograph region={r} />}
          </section>
        ))}
        <Section title={text.boardTitle}><Setup game={game} about={about} /></Section>
      </div>
    </div>
  );
}
