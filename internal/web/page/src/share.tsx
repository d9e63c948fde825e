// Taking a position away and bringing one here.

import { useRef, useState } from "preact/hooks";
import { type Question, type SgfRecord, send } from "./server";
import { type Control } from "./analysis";
import { said, saidOf } from "./connection";
import { branchesOf, type Game, linesOfBranches } from "./game";
import { type Mark } from "./judgement";
import { Section } from "./parts";
import { boardPng, boardSvg, download } from "./picture";
import { text } from "./strings";

// isCertificate looks at how a file begins.
export const isCertificate = async (file: File) => (await file.slice(0, 8).text()) === "TENGENPF";

// openRecord loads a game record; what is wrong with it comes back as a sentence.
export async function openRecord(file: File, game: Game): Promise<string> {
  if (file.size > 1 << 20) return text.recordTooLarge;
  if (!file.size) return text.problems.record("");
  try {
    const response = await send("sgf/read", await file.text(), "application/x-go-sgf");
    const read = (await response.json()) as SgfRecord;
    const { black, white, name, result, komi, games } = read;
    game.load(read.question as Question, linesOfBranches(read.variations ?? []), { game: read.game, black, white, name, result, komi, games });
    return read.problem ? said({ kind: "input", message: read.problem, location: "", code: "recordPart" }) : "";
  } catch (e) {
    return saidOf(e);
  }
}

// stated is what a record said of its game, for the one that is saved.
const stated = ({ opened }: Game) => opened && { black: opened.black, white: opened.white, name: opened.name, result: opened.result };

// OpenGame is what a record says, and what can be done with it: it is reviewed, and one that
// does not say that it is of NoGo is read as one.
export function OpenGame({ game, onReview }: { game: Game; onReview?(): void }) {
  const record = game.opened;
  if (!record) return null;
  const go = game.start.game === "go";
  const players = record.black || record.white ? text.players(record.black || "?", record.white || "?") : undefined;
  const says = [record.name, players, record.result && text.recordResult(record.result)].filter(Boolean).join(" · ");
  return (
    <Section title={text.record}>
      {says && <p data-testid="record">{says}</p>}
      {record.games && <p data-testid="record-games">{text.recordGames(record.games)}</p>}
      {go && record.komi ? <p data-testid="record-komi">{text.recordKomi(record.komi)}</p> : null}
      {record.game === "go" && <p class="dim">{go ? text.asGo : text.asNoGo}</p>}
      <div class="buttons">
        {onReview && game.top.children.length > 0 && <button type="button" class="primary" onClick={onReview}>{text.reviewGame}</button>}
        {record.game === "go" && <button type="button" onClick={() => game.readAs(go ? "nogo" : "go")}>{go ? text.readAsNoGo : text.readAsGo}</button>}
      </div>
    </Section>
  );
}

export function Share({ game, analysis, marks }: { game: Game; analysis?: Control; marks: Map<string, Mark> }) {
  const [said, setSaid] = useState("");
  const [wrong, setWrong] = useState("");
  const picker = useRef<HTMLInputElement>(null);
  const tell = (good: string, bad = "") => (setSaid(good), setWrong(bad));
  const copy = async (what: string, write: () => Promise<void>) => {
    try {
      await write();
      tell(text.copied(what));
    } catch {
      tell("", text.copyFailed);
    }
  };
  const copyText = (what: string, content: string) => copy(what, () => navigator.clipboard.writeText(content));
  const copyImage = () => copy(text.theImage, () => navigator.clipboard.write([new ClipboardItem({ "image/png": boardPng(game.signs, marks) })]));
  const name = `${game.question.game}-${game.position?.size ?? game.question.size}`;
  const json = () => JSON.stringify({ question: game.question, lines: game.lines, position: game.position, best: analysis?.best, moves: analysis && [...analysis.moves.values()] }, undefined, 2);
  const save = async () => {
    try {
      const response = await send("sgf/write", JSON.stringify({ ...game.start, ...stated(game), variations: branchesOf(game.top) }), "application/json");
      download(`${name}.sgf`, await response.text(), "application/x-go-sgf");
      tell("");
    } catch (e) {
      tell("", saidOf(e));
    }
  };
  return (
    <Section title={text.share}>
      <div class="buttons" role="group" aria-label={text.copy}>
        <span class="what">{text.copy}</span>
        <button type="button" onClick={() => copyText(text.theLink, location.href)}>{text.copyLink}</button>
        <button type="button" onClick={() => copyText(text.theText, game.position?.text ?? "")}>{text.copyText}</button>
        <button type="button" onClick={() => copyText(text.theJson, json())}>{text.copyJson}</button>
        <button type="button" onClick={copyImage}>{text.copyImage}</button>
      </div>
      <div class="buttons" role="group" aria-label={text.save}>
        <span class="what">{text.save}</span>
        <button type="button" onClick={save}>{text.saveSgf}</button>
        <button type="button" onClick={async () => download(`${name}.png`, await boardPng(game.signs, marks), "image/png")}>{text.savePng}</button>
        <button type="button" onClick={() => download(`${name}.svg`, boardSvg(game.signs, marks), "image/svg+xml")}>{text.saveSvg}</button>
        <button type="button" onClick={() => picker.current?.click()}>{text.openSgf}</button>
        <input
          ref={picker}
          type="file"
          class="hidden"
          tabIndex={-1}
          accept=".sgf"
          aria-label={text.openSgf}
          onChange={async (e) => {
            const file = e.currentTarget.files?.[0];
            e.currentTarget.value = "";
            if (file) tell("", await openRecord(file, game));
          }}
        />
      </div>
      <p class="said" aria-live="polite">{said}</p>
      {wrong && <p class="fault" role="alert">{wrong}</p>}
    </Section>
  );
}
