// Taking a position away and bringing one here.

import { useRef, useState } from "preact/hooks";
import { type Question, send } from "./api";
import { type Control } from "./analysis";
import { failure } from "./connection";
import { type Game } from "./game";
import { type Mark } from "./judgement";
import { Section } from "./parts";
import { boardPng, boardSvg, download } from "./picture";
import { text } from "./strings";

interface SgfRead {
  game: string;
  rules?: string;
  question: Question;
  problem?: string; // why the record could not be played to its end
}

// openRecord loads a game record; what is wrong with it comes back as a sentence.
export async function openRecord(file: File, game: Game): Promise<string> {
  if (file.size > 1 << 20) return text.recordTooLarge;
  try {
    const response = await send("sgf/read", await file.text(), "application/x-go-sgf");
    const read = (await response.json()) as SgfRead;
    game.load(read.question);
    return read.problem ?? "";
  } catch (e) {
    return failure(e)?.message ?? "";
  }
}

export function Share({ game, analysis, marks }: { game: Game; analysis?: Control; marks: Map<string, Mark> }) {
  const [said, setSaid] = useState("");
  const picker = useRef<HTMLInputElement>(null);
  const copy = async (what: string, content: string) => {
    try {
      await navigator.clipboard.writeText(content);
      setSaid(text.copied(what));
    } catch {
      setSaid(text.copyFailed);
    }
  };
  const name = `${game.question.game}-${game.position?.size ?? game.question.size}`;
  const json = () => JSON.stringify({ question: game.question, position: game.position, best: analysis?.best, moves: analysis && [...analysis.moves.values()] }, undefined, 2);
  const save = async () => {
    try {
      const response = await send("sgf/write", JSON.stringify(game.question), "application/json");
      download(`${name}.sgf`, await response.text(), "application/x-go-sgf");
    } catch (e) {
      setSaid(failure(e)?.message ?? "");
    }
  };
  return (
    <Section title={text.share}>
      <div class="buttons">
        <button type="button" onClick={() => copy(text.theLink, location.href)}>{text.copyLink}</button>
        <button type="button" onClick={() => copy(text.theText, game.position?.text ?? "")}>{text.copyText}</button>
        <button type="button" onClick={() => copy(text.theJson, json())}>{text.copyJson}</button>
        <button type="button" onClick={() => download(`${name}.svg`, boardSvg(game.signs, marks), "image/svg+xml")}>{text.saveSvg}</button>
        <button type="button" onClick={async () => download(`${name}.png`, await boardPng(game.signs, marks), "image/png")}>{text.savePng}</button>
        <button type="button" onClick={save}>{text.saveSgf}</button>
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
            if (file) setSaid(await openRecord(file, game));
          }}
        />
      </div>
      <p class="said" aria-live="polite">{said}</p>
    </Section>
  );
}

