// Papers: every published figure beside ours, with a verdict.

import { useEffect, useState } from "preact/hooks";
import { failure, type Problem, useConnection } from "./connection";
import { Fault } from "./parts";
import { get, type PapersAnswer } from "./server";
import { text } from "./strings";

type Experiment = NonNullable<PapersAnswer["experiments"]>[number];

const VERDICTS = ["equal", "better", "differs", "new"] as const;
type Verdict = (typeof VERDICTS)[number];

const rowsOf = (e: Experiment, only: Verdict | "") => (e.rows ?? []).filter((r) => !only || r.verdict === only);

// The marks of Markdown are left out: those of code, and in names of papers those of titles.
// The star of a value stays.
const plain = (s: string) => s.replaceAll("`", "");
const title = (s: string) => s.replaceAll("*", "");

function counts(e: Experiment): string {
  return VERDICTS.map((v) => [v, rowsOf(e, v).length] as const).filter(([, n]) => n).map(([v, n]) => `${text.verdicts[v]} ${n}`).join(", ");
}

function ExperimentView({ experiment, only }: { experiment: Experiment; only: Verdict | "" }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="experiment" data-testid={experiment.name} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary><code>{experiment.name}</code> <span class="dim">{counts(experiment)}</span></summary>
      {open && (
        <>
          <p class="dim" lang="en">{title(experiment.figure)}</p>
          <code class="command">{experiment.command}</code>
          <table class="compared">
            <thead>
              <tr>{[text.papersWhat, text.papersPublished, text.papersOurs, text.papersVerdict].map((t) => <th scope="col" key={t}>{t}</th>)}</tr>
            </thead>
            <tbody>
              {rowsOf(experiment, only).map((r) => (
                <tr key={r.what}>
                  <th scope="row" lang="en">{plain(r.what)}</th>
                  <td lang="en">{plain(r.published)}</td>
                  <td lang="en">{plain(r.ours)}</td>
                  <td class={r.verdict}>{text.verdicts[r.verdict as Verdict]}{r.why && <span lang="en">: {r.why}</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </details>
  );
}

export function Papers() {
  const [answer, setAnswer] = useState<PapersAnswer>();
  const [problem, setProblem] = useState<Problem>();
  const [only, setOnly] = useState<Verdict | "">("");
  const { epoch } = useConnection();
  useEffect(() => {
    setProblem(undefined);
    get("papers").then(setAnswer, (e) => setProblem(failure(e)));
  }, [epoch]);
  const shown = (answer?.experiments ?? []).filter((e) => rowsOf(e, only).length);
  const papers = [...new Set(shown.map((e) => e.paper))];
  return (
    <div class="results">
      <p>{text.papersExplained}</p>
      <Fault problem={problem} at={[""]} />
      {!answer && !problem && <p>{text.loading}</p>}
      {answer && (
        <label>
          {text.papersShow}{" "}
          <select value={only} onChange={(e) => setOnly(e.currentTarget.value as Verdict | "")}>
            <option value="">{text.papersAll}</option>
            {VERDICTS.map((v) => <option key={v} value={v}>{text.verdicts[v]}</option>)}
          </select>
        </label>
      )}
      {papers.map((paper) => (
        <section key={paper} class="section wide">
          <h2 lang="en">{title(paper)}</h2>
          {shown.filter((e) => e.paper === paper).map((e) => <ExperimentView key={e.name} experiment={e} only={only} />)}
        </section>
      ))}
    </div>
  );
}
