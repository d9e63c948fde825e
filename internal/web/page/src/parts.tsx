// Small pieces that several modes share.

import { type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type About, type Colour, ENDLESS, type Endless, type Finding, type Position, type Question } from "./server";
import { type Control } from "./analysis";
import { local, type Problem, said, tongue } from "./connection";
import { type Game, type Node } from "./game";
import { inOrder, markOf, ranged, points } from "./judgement";
import { FIRST_SIZE, link } from "./link";
import { parseSize } from "./points";
import { text } from "./strings";

export function Fault({ problem, at }: { problem?: Problem; at: string[] }) {
  const here = problem && at.some((a) => (a === "" ? true : problem.location.startsWith(`body.${a}`)));
  if (!here) return null;
  const own = problem.kind === "input" || local(problem);
  return <p class="fault" role="alert" lang={own ? tongue(problem) : undefined}>{own ? said(problem) : problem.kind === "busy" ? text.busy : text.broken}</p>;
}

export function Segments<T extends string>(p: { label: string; value: T; options: readonly (readonly [T, string])[]; onChange(v: T): void }) {
  return (
    <div class="segments" role="group" aria-label={p.label}>
      {p.options.map(([v, title]) => (
        <button key={v} type="button" aria-pressed={v === p.value} onClick={() => p.onChange(v)}>
          {title}
        </button>
      ))}
    </div>
  );
}

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

// Boards that people know, and those that answer at once.
const COMMON: Record<string, string[]> = { nogo: ["3x5", "4x5", "5x5", "7x7", "9x9"], go: ["2x3", "3x3", "3x4", "4x4", "5x5"] };

// Setup chooses game, rules and size. A change begins a new board.
export function Setup({ game, about, endless }: { game: Game; about?: About; endless?: boolean }) {
  const q = game.start;
  const size = parseSize(q.size ?? "") ?? { rows: game.signs.length, cols: game.signs[0].length };
  const [typed, setTyped] = useState<{ rows?: string; cols?: string }>({}); // and not yet a size
  const rows = typed.rows ?? String(size.rows);
  const cols = typed.cols ?? String(size.cols);
  const [wrong, setWrong] = useState("");

  const known = about?.games?.find((g) => g.name === q.game);
  const side = Math.max(known?.max_rows ?? 19, known?.max_cols ?? 19);
  const longest = known?.max_line ?? 63;
  const begin = (change: Partial<Question>) => {
    const next: Question = { game: q.game, rules: q.rules, size: `${size.rows}x${size.cols}`, ...change };
    if (next.game !== "go") delete next.rules;
    else next.rules ??= "basic";
    setTyped({});
    setWrong("");
    game.load(next);
  };
  const resize = () => {
    const want = parseSize(`${rows}x${cols}`);
    const fits = want && Math.max(want.rows, want.cols) <= (Math.min(want.rows, want.cols) === 1 ? longest : side);
    if (!want || !fits) setWrong(text.sizeWanted(side, longest));
    else if (typed.rows !== undefined || typed.cols !== undefined) begin({ size: `${want.rows}x${want.cols}` });
  };
  // Who only looks around finds a board that suits the other game as well.
  const otherGame = (name: string) => begin({ game: name, ...(q.size === FIRST_SIZE[q.game] && !q.position ? { size: FIRST_SIZE[name] } : {}) });
  return (
    <div class="setup">
      <label>
        <span>{text.game}</span>
        <select value={q.game} onChange={(e) => otherGame(e.currentTarget.value)}>
          {(about?.games ?? [{ name: "nogo", title: "NoGo" }, { name: "go", title: "Go" }]).map((g) => (
            <option key={g.name} value={g.name}>{g.title}</option>
          ))}
        </select>
      </label>
      {q.game === "go" && (
        <label>
          <span>{text.rules}</span>
          <select value={q.rules} onChange={(e) => begin({ rules: e.currentTarget.value })}>
            {(known?.rules?.length ? known.rules : ["basic", "psk", "ssk"]).map((r) => (
              <option key={r} value={r}>{text.ruleNames[r] ?? r}</option>
            ))}
          </select>
        </label>
      )}
      <div class="pair">
        <label>
          <span>{text.rows}</span>
          <input type="number" inputMode="numeric" min={1} max={size.cols === 1 ? longest : side} value={rows} onInput={(e) => setTyped({ ...typed, rows: e.currentTarget.value })} onChange={resize} />
        </label>
        <label>
          <span>{text.columns}</span>
          <input type="number" inputMode="numeric" min={1} max={size.rows === 1 ? longest : side} value={cols} onInput={(e) => setTyped({ ...typed, cols: e.currentTarget.value })} onChange={resize} />
        </label>
      </div>
      <div class="sizes" role="group" aria-label={text.sizes}>
        {(COMMON[q.game] ?? []).map((s) => (
          <button key={s} type="button" class="small" aria-pressed={s === `${size.rows}x${size.cols}`} onClick={() => begin({ size: s })}>{s.replace("x", "×")}</button>
        ))}
      </div>
      {endless && q.game === "go" && q.rules === "basic" && (
        <label>
          <span>{text.endless}</span>
          <select value={game.endless} onChange={(e) => game.setEndless(e.currentTarget.value as Endless)}>
            {ENDLESS.map((e) => <option key={e} value={e}>{text.endlessCounts[e]}</option>)}
          </select>
        </label>
      )}
      {endless && q.game === "go" && q.rules === "basic" && <p class="dim whole">{text.endlessExplained}</p>}
      <p class="dim whole">{text.rulesOf[q.game]}</p>
      {wrong && <p class="fault" role="alert">{wrong}</p>}
      <Fault problem={game.problem} at={["game", "rules", "size"]} />
    </div>
  );
}

function progress(a: Control, decided: number, of: number): string {
  const parts: string[] = [];
  if (a.classes) parts.push(text.decided(decided, of));
  if (a.nodes) parts.push(text.positions(a.nodes));
  if (a.rate && a.status === "running") parts.push(text.perSecond(a.rate));
  if (a.playouts) parts.push(text.playouts(a.playouts));
  if (a.elapsed !== undefined) parts.push(text.elapsed(a.elapsed));
  if (a.status === "stopped") parts.push(text.stopped);
  return parts.join(" · ") || text.asking;
}

// Progress tells how many of the legal moves are decided.
export function Progress({ a, of = 0 }: { a: Control; of?: number }) {
  const decided = [...a.moves.values()].filter((f) => f.grade === "exact").length;
  const busy = a.status === "running" || a.status === "queued" || a.status === "asked";
  if (a.status === "refused") return null; // Trouble says why
  return (
    <div class="progress">
      <progress aria-label={text.decidedLabel} max={Math.max(1, of)} value={decided} />
      <p>
        {a.status === "queued" ? text.queued(a.place ?? 1) : progress(a, decided, of)}
      </p>
      {busy ? (
        <button type="button" onClick={a.stop}>{text.stop}</button>
      ) : (
        a.status === "stopped" && <button type="button" onClick={a.resume}>{text.resume}</button>
      )}
    </div>
  );
}

// Bases explains the words of the column "known by" that are in it.
function Bases({ list }: { list: Finding[] }) {
  const said = [...new Set(list.map((f) => f.by))].filter((by) => by && text.basisMeans[by] && by !== "playouts");
  if (!said.length) return null;
  return <p class="dim" data-testid="bases">{said.map((by) => text.basisExplained(text.basis[by!], text.basisMeans[by!])).join(" ")}</p>;
}

// Playouts explains estimates where there are some.
export function Playouts({ list }: { list: Finding[] }) {
  return list.some((f) => f.grade === "estimated") ? <p class="dim">{text.playoutsExplained}</p> : null;
}

// source is the word for what a result is known by.
function source(f: Finding): string {
  if (f.grade === "estimated" && f.visits) return text.playouts(f.visits);
  return f.by ? (text.basis[f.by] ?? f.by) : "";
}

// extent is what belongs to a score beside its sign: its range, and the moves to the end.
function extent(f: Finding): string {
  if (f.grade !== "exact") return "";
  return [ranged(f) && text.between(points(f.lo!), points(f.hi!)), f.length && text.inMoves(f.length)].filter(Boolean).join(" · ");
}

// A move that is worse than the best one has an answer to "why?".
const worse = (f: Finding, kind: string) => f.grade === "exact" && (kind === "bad" || kind === "poor") && f.move;
const whyLink = (q: Question, move: string) => (q.game === "go" ? link("why", q, { pick: move }) : link("why", { ...q, moves: [...(q.moves ?? []), move] }));

export function Moves(p: { a: Control; position: Position; question: Question; onPlay(move: string): void; onHover(f?: Finding): void }) {
  const { to_play } = p.position;
  // Moves that are not known yet have their rows already, so that nothing moves when they are.
  const open = (p.position.legal ?? []).filter((m) => !p.a.moves.has(m)).map((move): Finding => ({ move, grade: "unknown" }));
  const list = inOrder([...p.a.moves.values(), ...open], to_play);
  if (!list.length) return null;
  return (
    <div class="box">
      <div class="moves" tabIndex={0} role="region" aria-label={text.movesTitle}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text.move}</th>
              <th scope="col">{text.result}</th>
              <th scope="col">{text.basisTitle}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {list.map((f) => {
              const mark = markOf(f, to_play, p.a.best?.score);
              return (
                <tr key={f.move} onMouseEnter={() => p.onHover(f)} onMouseLeave={() => p.onHover(undefined)}>
                  <td>
                    <button type="button" class="link" onClick={() => p.onPlay(f.move!)} onFocus={() => p.onHover(f)} onBlur={() => p.onHover(undefined)}>
                      {text.moveName(f.move!)}
                    </button>
                  </td>
                  <td>
                    <span class={`chip ${mark.kind}`} aria-hidden="true">{mark.text}</span> <span class={f.score !== undefined ? "hidden" : mark.kind === "guess" ? "guess-words" : ""}>{mark.says}</span> <span class="dim">{extent(f)}</span>
                  </td>
                  <td class="dim">{source(f)}</td>
                  <td>{worse(f, mark.kind) && <a class="why" href={whyLink(p.question, f.move!)} aria-label={text.whyMove(f.move!)}>{text.why}</a>}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Bases list={list} />
      <Playouts list={list} />
    </div>
  );
}

// Line shows a line of play as steps; each plays the line up to itself. A place that is
// reserved is there before the line is.
export function Line(p: { line?: string[]; cut?: boolean; title: string; reserved?: boolean; onPlay(moves: string[]): void; onHover(steps?: string[]): void }) {
  if (!p.line?.length && !p.reserved) return null;
  return (
    <Section title={p.title}>
      <ol class={p.reserved ? "line reserved" : "line"}>
        {p.line?.map((m, i) => (
          <li key={i}>
            <button
              type="button"
              class="link"
              aria-label={text.playTo(i + 1, m)}
              onClick={() => p.onPlay(p.line!.slice(0, i + 1))}
              onMouseEnter={() => p.onHover(p.line!.slice(0, i + 1))}
              onMouseLeave={() => p.onHover(undefined)}
              onFocus={() => p.onHover(p.line!.slice(0, i + 1))}
              onBlur={() => p.onHover(undefined)}
            >
              <span class="num">{i + 1}</span> {text.moveName(m)}
            </button>
          </li>
        ))}
        {p.cut && <li><span aria-hidden="true">…</span><span class="hidden">{text.goesOn}</span></li>}
      </ol>
    </Section>
  );
}

function Branch({ node, game, depth, first }: { node: Node; game: Game; depth: number; first: Colour }) {
  // One line as long as there is one continuation; further ones are indented below it.
  const line: Node[] = [];
  let tail: Node | undefined = node;
  const others: { nodes: Node[]; depth: number }[] = [];
  let d = depth;
  while (tail) {
    line.push(tail);
    d++;
    if (tail.children.length > 1) others.push({ nodes: tail.children.slice(1), depth: d });
    tail = tail.children[0];
  }
  return (
    <li>
      {line.map((n, i) => {
        const black = (first === "b") === ((depth + i) % 2 === 0);
        return (
          <button key={i} type="button" class={`link step ${black ? "black" : "white"}`} aria-current={n === game.here ? "step" : undefined} onClick={() => game.go(n)}>
            <span class="num">{depth + i + 1}</span> <span class="hidden">{black ? text.black : text.white}</span> {text.moveName(n.move)}
          </button>
        );
      })}
      {others.length > 0 && (
        <ul>
          {others.flatMap(({ nodes, depth: at }) => nodes.map((n, i) => <Branch key={`${at}-${i}-${n.move}`} node={n} game={game} depth={at} first={first} />))}
        </ul>
      )}
    </li>
  );
}

export function Tree({ game, onReview }: { game: Game; onReview?(): void }) {
  const played = game.top.children.length > 0;
  return (
    <Section title={text.tree}>
      <Fault problem={game.problem} at={["moves"]} />
      <ul class="tree">
        <li>
          <button type="button" class="link step" aria-current={game.here === game.top ? "step" : undefined} onClick={() => game.go(game.top)}>
            {text.beginning}
          </button>
        </li>
        {game.top.children.map((n, i) => (
          <Branch key={`${i}-${n.move}`} node={n} game={game} depth={0} first={game.start.to_play ?? "b"} />
        ))}
      </ul>
      <button type="button" class={game.here.parent ? "small" : "small absent"} disabled={!game.here.parent} onClick={game.forget}>{text.forget(game.here.move)}</button>
      {onReview && <p><button type="button" class={played ? "small" : "small absent"} disabled={!played} onClick={onReview}>{text.reviewGame}</button></p>}
    </Section>
  );
}
