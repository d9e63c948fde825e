// Results: the published tables beside ours. Every cell leads to its position.

import { useEffect, useState } from "preact/hooks";
import { type Cell, get, type ResultsAnswer } from "./api";
import { failure, type Problem, useConnection } from "./connection";
import { Fault } from "./parts";
import { link } from "./link";
import { text } from "./strings";

function CellView({ cell, onPick, picked }: { cell?: Cell; onPick(c: Cell): void; picked: boolean }) {
  if (!cell) return <td class="empty" />;
  const shown = cell.winner ? (cell.winner === "black" ? "B" : cell.winner === "white" ? "W" : "=") : String(cell.score ?? "?");
  const kind = cell.winner ?? "score";
  const says = text.cellSays(cell);
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
      <p>{text.cellSays(cell)}</p>
      {cell.question && (
        <p class="buttons">
          <a class="button primary" href={link("explore", cell.question)}>{text.openBoard}</a>
          {cell.question.game === "nogo" && <a class="button" href={link("why", cell.question)}>{text.walkProof}</a>}
        </p>
      )}
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
    const stop = new AbortController();
    get<ResultsAnswer>("results", stop.signal).then(setAnswer, (e) => !stop.signal.aborted && setProblem(failure(e)));
    return () => stop.abort();
  }, [epoch]);
  return (
    <div class="results">
      <p>{text.resultsExplained}</p>
      <Fault problem={problem} at={[""]} />
      {!answer && !problem && <p>{text.loading}</p>}
      {answer?.tables.map((t, ti) => {
        const cells = new Map(t.cells.map((c) => [`${c.row}|${c.col}`, c]));
        return (
          <section key={ti} class="section wide">
            <h2>{t.title}</h2>
            {t.note && <p class="dim">{t.note}</p>}
            <div class="scroll" tabIndex={0} role="region" aria-label={t.title}>
              <table class="grid">
                <thead>
                  <tr>
                    <td />
                    {t.cols.map((c) => <th scope="col" key={c}>{c}</th>)}
                  </tr>
                </thead>
                <tbody>
                  {t.rows.map((r) => (
                    <tr key={r}>
                      <th scope="row">{r}</th>
                      {t.cols.map((c) => {
                        const cell = cells.get(`${r}|${c}`);
                        return <CellView key={c} cell={cell} picked={picked?.cell === cell && !!cell} onPick={(x) => setPicked({ table: ti, cell: x })} />;
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {picked?.table === ti && <Detail cell={picked.cell} title={text.cellTitle(picked.cell)} onClose={() => setPicked(undefined)} />}
          </section>
        );
      })}
    </div>
  );
}
