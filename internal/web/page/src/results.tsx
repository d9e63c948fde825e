// Results: the published tables beside ours. Every cell leads to its position.

import { useEffect, useState } from "preact/hooks";
import { failure, type Problem, useConnection } from "./connection";
import { points, winnerLetter } from "./judgement";
import { results } from "./known";
import { link } from "./link";
import { Fault } from "./parts";
import { type Cell, type Question, type ResultsAnswer } from "./server";
import { language, text } from "./strings";

function cellSays(c: Cell): string {
  const parts = [c.score !== undefined ? text.byScore(c.score) : text.cellWinner(c.winner ?? "")];
  parts.push(!c.published ? text.cellOurs : c.command ? text.cellPublished : text.cellElsewhere);
  if (c.move) parts.push(text.firstMove(c.move));
  if (c.positions) parts.push(text.cellSearched(c.positions));
  return parts.join("; ");
}

const cellTitle = (c: Cell) => c.question.size?.replace("x", "×") ?? `${c.row} × ${c.col}`;

type Table = NonNullable<ResultsAnswer["tables"]>[number];

// titleOf is the title of a table in the reader's language, else the server's.
function titleOf(t: Table): string {
  const q = t.cells?.[0]?.question;
  const row = t.rows?.length === 1 && t.rows[0] === "1";
  if (q?.game === "nogo") return row ? text.tableTitles.nogoRow : text.tableTitles.nogo;
  if (q?.rules === "psk" && row) return text.tableTitles.pskRow;
  return q?.game === "go" && !q.rules ? text.tableTitles.basic : t.title;
}

// noteOf is what is said below the title. The page knows that of every table that it has a
// title for.
function noteOf(t: Table) {
  const known = (Object.keys(text.tableTitles) as (keyof typeof text.tableTitles)[]).find((k) => text.tableTitles[k] === titleOf(t));
  if (language !== "en" && known) return <p class="dim">{text.tableNotes[known]}</p>;
  return t.note && <p class="dim" lang="en">{t.note}</p>;
}

function CellView({ cell, onPick, picked }: { cell?: Cell; onPick(c: Cell): void; picked: boolean }) {
  if (!cell) return <td class="empty" />;
  const shown = cell.score !== undefined ? points(cell.score) : winnerLetter(cell.winner);
  const kind = cell.winner ?? (cell.score! > 0 ? "black" : cell.score! < 0 ? "white" : "score");
  const says = cellSays(cell);
  return (
    <td class={kind}>
      <button type="button" class="cell" title={says} aria-pressed={picked} onClick={() => onPick(cell)}>
        {shown}
        {!cell.published && <sup aria-hidden="true">*</sup>}
        <span class="hidden">: {says}</span>
      </button>
    </td>
  );
}

function Detail({ cell, title, onClose }: { cell: Cell; title: string; onClose(): void }) {
  return (
    <div class="detail" role="region" aria-live="polite" aria-label={text.cellDetail} data-testid="cell">
      <h3>{title}</h3>
      <p>{cellSays(cell)}</p>
      {cell.source && <p class="dim" lang="en">{cell.source}</p>}
      <p class="buttons">
        <a class="button primary" href={link("explore", cell.question as Question)}>{text.openBoard}</a>
        {cell.question.game === "nogo" && <a class="button" href={link("why", cell.question as Question)}>{text.walkProof}</a>}
      </p>
      {cell.command && <><p class="dim">{text.command}</p><code class="command">{cell.command}</code></>}
      {cell.certificate_sha256 && <><p class="dim">{text.checksum}</p><code class="sum">{cell.certificate_sha256}</code></>}
      <button type="button" onClick={onClose}>{text.close}</button>
    </div>
  );
}

export function Results() {
  const [answer, setAnswer] = useState<ResultsAnswer>();
  const [problem, setProblem] = useState<Problem>();
  const [picked, setPicked] = useState<{ table: number; cell: Cell }>();
  const { epoch } = useConnection();
  useEffect(() => {
    setProblem(undefined);
    results().then(setAnswer, (e) => setProblem(failure(e)));
  }, [epoch]);
  return (
    <div class="results">
      <p>{text.resultsExplained}</p>
      <p><a href="#/papers">{text.seePapers}</a></p>
      <Fault problem={problem} at={[""]} />
      {!answer && !problem && <p>{text.loading}</p>}
      {answer?.tables?.map((t, ti) => {
        const cells = new Map((t.cells ?? []).map((c) => [`${c.row}|${c.col}`, c]));
        return (
          <section key={ti} class="section wide">
            <h2>{titleOf(t)}</h2>
            {noteOf(t)}
            <div class="scroll" tabIndex={0} role="region" aria-label={titleOf(t)}>
              <table class="grid">
                <thead>
                  <tr>
                    <td />
                    {t.cols?.map((c) => <th scope="col" key={c}>{c}</th>)}
                  </tr>
                </thead>
                <tbody>
                  {t.rows?.map((r) => (
                    <tr key={r}>
                      <th scope="row">{r}</th>
                      {t.cols?.map((c) => {
                        const cell = cells.get(`${r}|${c}`);
                        return <CellView key={c} cell={cell} picked={picked?.cell === cell && !!cell} onPick={(x) => setPicked({ table: ti, cell: x })} />;
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {picked?.table === ti && <Detail cell={picked.cell} title={cellTitle(picked.cell)} onClose={() => setPicked(undefined)} />}
          </section>
        );
      })}
    </div>
  );
}
