// Explore: every move of a position with its result, as it is found.

import { useMemo, useState } from "preact/hooks";
import { type About } from "./server";
import { useAnalysis } from "./analysis";
import { noPosition, warned } from "./connection";
import { type Game } from "./game";
import { type Mark, marksOf, points, ranged, verdict } from "./judgement";
import { Line, Moves, Progress, Section, Segments, Setup, Tree } from "./parts";
import { diagram, pointOf } from "./points";
import { isCertificate, OpenGame, openRecord, Share } from "./share";
import { Stage } from "./stage";
import { headline, Trouble } from "./trouble";
import { useKnown } from "./known";
import { text } from "./strings";

type Tool = "b" | "w" | "erase";
const SIGN = { b: 1, w: -1, erase: 0 } as const;

export function Explore({ game, about, onReview, onCertificate }: { game: Game; about?: About; onReview(): void; onCertificate(file: File): void }) {
  const [editing, setEditing] = useState(false);
  const [tool, setTool] = useState<Tool>("b");
  const [steps, setSteps] = useState<string[]>();
  const [fileSays, setFileSays] = useState("");
  const { position } = game;
  const a = useAnalysis(position && game.fresh && !position.over ? game.question : undefined, game.start.rules === "basic" ? game.endless : "draw");

  const marks = useMemo(() => {
    const m = new Map<string, Mark>();
    if (!position || editing) return m;
    for (const move of position.legal ?? []) m.set(move, { kind: "open", text: "·", says: text.notKnown });
    for (const [move, mark] of marksOf(a, position.to_play)) m.set(move, mark);
    return m;
  }, [position, a.moves, a.best, editing]);

  const put = (name: string) => {
    const v = pointOf({ rows: game.signs.length, cols: game.signs[0].length }, name);
    if (!v) return;
    const signs = game.signs.map((row) => [...row]);
    const old = signs[v[1]][v[0]];
    signs[v[1]][v[0]] = old === SIGN[tool] ? 0 : SIGN[tool];
    game.edit({ position: diagram(signs), size: undefined, ko: undefined, passed: undefined, to_play: game.position?.to_play ?? game.start.to_play });
  };
  const play = (...moves: string[]) => {
    setSteps(undefined);
    if (moves.length === 1) game.choose(moves[0]);
    else if (game.fresh) game.play(...moves);
  };
  const hover = (name?: string) => setSteps((name && !editing && a.moves.get(name)?.line) || undefined);
  const line = a.best?.line?.length ? a.best.line : undefined;
  // What is known of the whole board is said while the search has not come so far.
  const known = useKnown(position && !position.over && a.best?.grade !== "exact" && (game.start.game !== "go" || game.endless === "draw") ? game.question : undefined);

  return (
    <div class="layout">
      <Stage
        game={game}
        marks={marks}
        steps={steps && steps.length > 1 ? steps : undefined}
        stepsBegin={position?.to_play}
        editing={editing}
        passMark={a.moves.has("pass") ? marks.get("pass")?.text : undefined}
        onPoint={editing ? put : (name) => play(name)}
        onPass={editing ? undefined : () => play("pass")}
        onHover={hover}
        onFile={async (file) => ((await isCertificate(file)) ? onCertificate(file) : setFileSays(await openRecord(file, game)))}
        fileSays={fileSays}
        tools={
          <div class="tools">
            <Segments
              label={text.clickMeans}
              value={editing ? "edit" : "play"}
              options={[["play", text.playMoves], ["edit", text.editStones]]}
              onChange={(v) => (setEditing(v === "edit"), setSteps(undefined))}
            />
            {editing && (
              <div class="edit">
                <p class="notice">{text.editingNotice}</p>
                <Segments label={text.tool} value={tool} options={[["b", text.blackStone], ["w", text.whiteStone], ["erase", text.erase]]} onChange={(v) => setTool(v as Tool)} />
                <Segments
                  label={text.toPlayLabel}
                  value={game.start.to_play ?? "b"}
                  options={[["b", text.toPlay("b")], ["w", text.toPlay("w")]]}
                  onChange={(v) => game.edit({ position: game.position?.position ?? game.start.position, to_play: v })}
                />
                <button type="button" onClick={() => game.edit({ position: undefined, size: game.position?.size ?? game.start.size, to_play: undefined, ko: undefined, passed: undefined })}>{text.clear}</button>
              </div>
            )}
          </div>
        }
      />
      <div class="column">
        <Section title={text.position}>
          <div class="verdict" aria-live="polite" data-testid="verdict">
            {position ? (
              <>
                <span class={`turn ${position.to_play}`}>{position.over ? text.over : text.toPlay(position.to_play)}</span>
                <strong>{known ? headline(known) : verdict(position, a)}</strong>
                {known?.source && <span class="dim" data-testid="published">{text.notProvenHere} <span lang="en">{known.source}</span></span>}
                {known && a.status !== "refused" && (
                  <span class="dim">{known.source || a.best?.grade === "bounded" || a.best?.grade === "estimated" ? text.provenHere(a.best && a.best.grade !== "unknown" ? verdict(position, a) : text.searching) : text.fromResults}</span>
                )}
                {a.best && ranged(a.best) && <span class="dim" data-testid="range">{text.rangeSays(points(a.best.lo!), points(a.best.hi!))}</span>}
              </>
            ) : (
              game.problem ? noPosition(game.problem) : text.solving
            )}
          </div>
          {position && !position.over && <Progress a={a} of={position.legal?.length} />}
          {position && <Trouble problem={a.problem} wanted="moves" question={game.question} size={position.size} told={!!known} again={a.resume} />}
          {warned(a).map((w) => <p class="dim" key={w}>{w}</p>)}
        </Section>
        <OpenGame game={game} onReview={onReview} />
        <Section title={text.boardTitle}>
          <Setup game={game} about={about} endless />
        </Section>
        {position && !editing && !position.over && a.status !== "refused" && (
          <Section title={text.movesTitle}>
            <Moves a={a} position={position} question={game.question} onPlay={(m) => play(m)} onHover={(f) => setSteps(f?.line ?? undefined)} />
          </Section>
        )}
        {!editing && <Line title={text.bestLine} line={line} cut={a.best?.cut} reserved={!!position && !position.over && a.status !== "refused"} onPlay={(m) => play(...m)} onHover={setSteps} />}
        <Tree game={game} onReview={game.opened ? undefined : onReview} />
        <Share game={game} analysis={a} marks={marks} />
      </div>
    </div>
  );
}
