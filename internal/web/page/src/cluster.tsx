// Cluster: searches on many machines as they go, told by their masters.

import { Fragment, type ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type About, type ClusterNews, type ClusterSearch, type ClusterWorker, type Finding, follow, type Side } from "./server";
import { Board } from "./board";
import { failure, type Problem, useConnection } from "./connection";
import { colourOf, type Mark, markOf } from "./judgement";
import { link } from "./link";
import { Fault, Section } from "./parts";
import { parseDiagram } from "./points";
import { text } from "./strings";

// useSeen is whether anybody looks: a page in the background listens to nothing.
function useSeen(): boolean {
  const [seen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setSeen(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return seen;
}

function useNews(wanted: boolean): { news?: ClusterNews; problem?: Problem } {
  const [news, setNews] = useState<ClusterNews>();
  const [problem, setProblem] = useState<Problem>();
  const { epoch } = useConnection();
  const seen = useSeen();
  useEffect(() => {
    if (!wanted || !seen) return;
    const abort = new AbortController();
    let retry = 0;
    const begin = async () => {
      try {
        await follow("cluster/events", abort.signal, (e) => setNews(e.data));
        retry = window.setTimeout(begin, 1000); // somebody on the way cut the stream
      } catch (e) {
        if (!abort.signal.aborted) setProblem(failure(e));
      }
    };
    setProblem(undefined);
    void begin();
    return () => {
      clearTimeout(retry);
      abort.abort();
    };
  }, [wanted, seen, epoch]);
  return { news, problem };
}

const toPlay = (s: ClusterSearch) => (s.to_play === "white" ? "w" : "b");

function marksOf(s: ClusterSearch): Map<string, Mark> {
  const finding = (m: { move: string; winner?: string }): Finding => ({ move: m.move, grade: m.winner ? "exact" : "unknown", winner: m.winner as Side | undefined });
  return new Map((s.moves ?? []).map((m) => [m.move, markOf(finding(m), toPlay(s))]));
}

// answer is what is known of the question, or what is being done about it.
function answer(s: ClusterSearch): string {
  if (!s.winner) return (s.state === "running" ? text.clusterWorks : s.state === "done" ? text.clusterEnds : {})[s.phase] ?? text.unsettled;
  if (s.winner !== colourOf(toPlay(s))) return text.allLose(s.to_play!);
  return text.clusterWins(s.winner, (s.moves ?? []).find((m) => m.winner === s.winner)?.move);
}

const nameOf = (s: ClusterSearch) =>
  s.position && s.to_play
    ? text.clusterName(`${s.position.split("/").length}×${s.position.split("/")[0].length}`, s.to_play, s.question.endsWith("each move"))
    : s.question.replace(/([0-9a-f]{8})[0-9a-f]{16,}/, "$1…");

function progressOf(s: ClusterSearch, decided: number, of: number): string {
  if (s.state === "done") return text.clusterDone(s.seconds);
  if (s.phase === "proof") return text.clusterLayer(s.layer ?? "", s.part, s.whole);
  if (s.phase === "search") return text.clusterDecided(decided, of);
  if (s.phase === "strips") return text.clusterStrips(s.layer ?? "", s.part, s.whole);
  return text.clusterPart(s.part, s.whole, s.phase);
}

function State({ s }: { s: ClusterSearch }) {
  const decided = (s.moves ?? []).filter((m) => m.winner).length;
  const moves = s.phase === "search";
  const [part, whole] = s.state === "done" ? [1, 1] : moves ? [decided, s.moves?.length ?? 0] : [s.part, s.whole];
  const progress = progressOf(s, decided, s.moves?.length ?? 0);
  return (
    <>
      <div class="verdict" aria-live="polite" data-testid="cluster">
        <span class={`state ${s.state}`}>{text.clusterStates[s.state]}</span>
        <strong>{answer(s)}</strong>
        <span class="dim">{nameOf(s)}{s.winner && s.phase === "proof" && s.state !== "done" ? `. ${text.clusterWorks.proof}` : ""}</span>
      </div>
      <div class="progress">
        <progress aria-label={progress} max={Math.max(1, whole)} value={part} />
        <p>{progress}</p>
      </div>
      {s.state === "silent" && <p class="fault">{text.clusterSilent(s.silent_seconds)}</p>}
      {s.position && (
        <p class="buttons">
          <a class="button" href={link("explore", { game: "nogo", position: s.position, to_play: toPlay(s) })}>{text.clusterExplore}</a>
        </p>
      )}
    </>
  );
}

function Figures({ s }: { s: ClusterSearch }) {
  const rows: [string, ComponentChildren][] = [
    [text.clusterSearched, text.number(s.nodes)],
    [text.clusterSpeed, s.state === "running" ? text.perSecond(s.rate) : "–"],
    [text.clusterTime, text.span(s.seconds)],
    [text.clusterJobs, text.clusterJobsAre(s.jobs, s.out)],
  ];
  if (s.phase === "search") rows.push([text.clusterTree, text.clusterTreeHas(s.positions ?? 0, s.decided ?? 0)]);
  if (s.position) {
    rows.push([text.clusterFacts, text.number(s.facts)], [text.clusterDoubts, text.clusterDoubted(s.epoch ?? 0)]);
    if (s.phase === "search" && s.whole <= 1) rows.push([text.clusterLine, (s.state !== "done" && s.line) || "–"]);
  }
  if (s.banned?.length) rows.push([text.clusterBanned, s.banned.join(", ")]);
  return (
    <dl class="figures">
      {rows.map(([title, value]) => (
        <Fragment key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Workers({ list }: { list: ClusterWorker[] }) {
  if (!list.length) return <p class="dim">{text.clusterNoWorkers} <code>tengen worker --nats URL</code></p>;
  return (
    <div class="moves" tabIndex={0} role="region" aria-label={text.clusterWorkers(list.length)}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.clusterWorker}</th>
            <th scope="col" class="figure">{text.clusterSpeed}</th>
            <th scope="col" class="figure">{text.clusterWorkerJobs}</th>
            <th scope="col">{text.clusterHeard}</th>
            <th scope="col" class="work">{text.clusterWork}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((w) => (
            <tr key={w.name}>
              <td>{w.name}</td>
              <td class="figure">{text.perSecond(w.rate)}</td>
              <td class="figure">{text.number(w.jobs)}</td>
              <td class="heard">{text.ago(w.silent)}</td>
              <td class="work">{w.elsewhere ? text.clusterElsewhere : w.job ? w.about ? <code>{w.about}</code> : text.clusterJob : text.clusterIdle}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Cluster({ about }: { about?: About }) {
  const { news, problem } = useNews(!!about?.cluster);
  const [chosen, setChosen] = useState<string>();
  const searches = news?.searches ?? [];
  const s = searches.find((x) => x.search === chosen) ?? searches[0];
  const signs = useMemo(() => (s?.position ? parseDiagram(s.position) : undefined), [s?.position]);
  const marks = useMemo(() => (s ? marksOf(s) : new Map<string, Mark>()), [s]);
  if (!s) {
    const none = about && !about.cluster;
    return (
      <div class="results" data-testid="no-search">
        <Fault problem={problem} at={[""]} />
        {news?.problem && <p class="fault" role="alert">{news.problem}</p>}
        {!about || (!none && !news && !problem) ? (
          <p>{text.loading}</p>
        ) : (
          !problem && (
            <>
              <p>{none ? text.clusterNone : text.clusterEmpty}</p>
              <p class="dim">{none ? text.clusterHow : text.clusterBegin}</p>
              <code class="command">{none ? "tengen serve --nats URL" : "tengen cluster solve nogo 4x5 --nats URL --workers 2"}</code>
            </>
          )
        )}
      </div>
    );
  }
  const workers = s.workers ?? [];
  return (
    <div class={`layout cluster${signs ? "" : " boardless"}`}>
      {signs && <div class="stage"><Board signs={signs} marks={marks} watched /></div>}
      <div class="column">
        <Section title={text.clusterTitle}>
          {news?.problem && <p class="fault" role="alert">{news.problem}</p>}
          <Fault problem={problem} at={[""]} />
          {searches.length > 1 && (
            <div class="setup">
              <label class="whole">
                <span>{text.clusterChoose}</span>
                <select value={s.search} onChange={(e) => setChosen(e.currentTarget.value)}>
                  {searches.map((x) => <option key={x.search} value={x.search}>{nameOf(x)} · {text.clusterStates[x.state]}</option>)}
                </select>
              </label>
            </div>
          )}
          <State s={s} />
        </Section>
        <Section title={text.clusterFigures}><Figures s={s} /></Section>
      </div>
      <div class="workers">
        {s.state === "running" && <Section title={text.clusterWorkers(workers.length)}><Workers list={workers} /></Section>}
      </div>
    </div>
  );
}
