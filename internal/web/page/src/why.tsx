// Why: a proof that can be walked. The losing side tries any move, the page has the answer.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type About, type Certificate, type Endless, post, type Question, send, type WhyAnswer } from "./server";
import { useAnalysis } from "./analysis";
import { failure, noPosition, type Problem, said, saidOf, useConnection, useRetry } from "./connection";
import { type Game, keyOf, startOf } from "./game";
import { boardName, colourOf, endSays, type Mark, points } from "./judgement";
import { Line, Progress, Section, Segments, Setup, Tree } from "./parts";
import { OpenGame, openRecord } from "./share";
import { Stage } from "./stage";
import { language, text } from "./strings";
import { sentence, Trouble } from "./trouble";

const LARGEST = 8 << 20;

// rootOf is the position that a certificate is about.
const rootOf = (c: Certificate): Question => ({
  game: c.game, rules: c.game === "go" ? "basic" : undefined, size: c.size, position: c.position, to_play: c.to_play === "w" ? "w" : "b", ko: c.ko, passed: c.passed,
});

// claimOf is what a certificate of Go proves: the least that a side scores, or if that is no
// win, the most that the other side does.
function claimOf({ winner, at_least: n = 0 }: { winner?: string; at_least?: number }): string {
  return n > 0 ? text.scoresAtLeast(winner ?? "", n) : text.scoresAtMost(winner === "black" ? "white" : "black", -n);
}

function useWhy(game: Game, body: Parameters<typeof post<"why">>[1] | undefined) {
  const [state, setState] = useState<{ key?: string; answer?: WhyAnswer; problem?: Problem }>({});
  const { epoch } = useConnection();
  const [run, setRun] = useState(0);
  const key = body && JSON.stringify(body) + keyOf(game.question);
  useEffect(() => {
    if (!body) return;
    const stop = new AbortController();
    post("why", body, stop.signal).then(
      (answer) => setState({ key, answer }),
      (e) => !stop.signal.aborted && setState({ key, problem: failure(e) }),
    );
    return () => stop.abort();
  }, [key, epoch, run]);
  const again = () => setRun((n) => n + 1);
  useRetry(state.problem, again);
  return { ...(state.key === key ? state : {}), again };
}

// triedSays judges a move that the reader tried, and names the answer to it.
function triedSays({ move, reply, answer }: Tried): string {
  const judged = text.refuted(move, answer.cost ?? 0, points(answer.score_before ?? 0), points(answer.score_after ?? 0));
  return reply ? `${judged} ${text.replyIs(reply)}` : judged;
}

interface Tried {
  key: string; // of the position that the try led to
  move: string;
  reply?: string;
  answer: WhyAnswer;
}

// useTry lets the reader play against best play: a move is judged, and answered by the move
// that the line has next. The server is asked when the scores are known.
function useTry(game: Game, endless: { endless?: Endless }, asking: string | undefined, known: boolean, onAnswer: () => void) {
  const key = keyOf(game.question);
  const [tried, setTried] = useState<Tried>();
  const [problem, setProblem] = useState<{ key: string; problem?: Problem }>();
  useEffect(() => {
    if (!asking || !known) return;
    const stop = new AbortController();
    post("why", { ...game.question, ...endless, move: asking }, stop.signal).then(
      (answer) => {
        const [move, reply] = answer.line ?? [asking];
        const moves = reply ? [move, reply] : [move];
        onAnswer(); // or it would be asked again when the reader comes back
        setTried({ key: keyOf({ ...game.question, moves: [...(game.question.moves ?? []), ...moves] }), move, reply, answer });
        game.play(...moves);
      },
      (e) => {
        if (stop.signal.aborted) return;
        onAnswer();
        setProblem({ key, problem: failure(e) });
      },
    );
    return () => stop.abort();
  }, [asking, key, known]);
  return {
    tried: tried?.key === key ? tried : undefined,
    problem: problem?.key === key ? problem.problem : undefined,
  };
}

interface WhyProps {
  game: Game;
  about?: About;
  picked?: string;
  onPick(move: string): void;
  dropped?: File; // a certificate to open
  onOpened(): void;
  certificate?: Certificate;
  onCertificate(c?: Certificate): void;
}

export function Why({ game, about, picked, onPick, dropped, onOpened, certificate, onCertificate }: WhyProps) {
  // A certificate is walked from its first position on. Without one, NoGo has a proof of the
  // server's own, and Go the cost of a move.
  const held = certificate && startOf(game.start) === startOf(rootOf(certificate)) ? certificate : undefined;
  const walked = game.start.game === "go" ? held : undefined;
  const go = game.start.game === "go" && !walked;
  const [fileSays, setFileSays] = useState("");
  const [dropSays, setDropSays] = useState("");
  const [checking, setChecking] = useState(false);
  const [hover, setHover] = useState<string[]>();
  const [tries, setTries] = useState(false);
  const trying = tries && go;
  const picker = useRef<HTMLInputElement>(null);
  const { position } = game;
  const ready = game.fresh && position && (walked || !position.over);
  const endless = go && game.start.rules === "basic" && game.endless !== "draw" ? { endless: game.endless } : {};
  // What a move of Go costs is known when its score and the best one are. Until then the
  // analysis shows how far it is, and can be stopped.
  const key = keyOf(game.question);
  const [pending, setPending] = useState<{ key: string; move: string }>();
  const attempt = trying && pending?.key === key ? pending.move : undefined;
  const weighed = go ? (trying ? attempt : picked) : undefined;
  const a = useAnalysis(ready && weighed ? game.question : undefined, game.start.rules === "basic" ? game.endless : "draw");
  const known = !!weighed && ((a.moves.get(weighed)?.grade === "exact" && a.best?.grade === "exact") || (!!ready && !position.legal?.includes(weighed)));
  const weighing = !!weighed && !known && (a.status === "asked" || a.status === "queued" || a.status === "running");
  useEffect(() => {
    if (known) a.stop(); // the other moves are not asked for
    else if (weighed && a.status === "stopped") a.resume();
  }, [weighed, known]);
  const own = useTry(game, endless, attempt, known, () => setPending(undefined));
  const { answer, problem: asked, again } = useWhy(
    game,
    ready && (!go || (picked && !trying && known)) ? { ...game.question, ...(go ? { move: picked, ...endless } : held ? { certificate: held.id } : {}) } : undefined,
  );
  const problem = (weighed && !known ? a.problem : undefined) ?? (trying ? own.problem : asked);

  const ended = walked && answer?.role === "loser" && !answer.moves ? text.lineEnds[answer.by ?? ""]?.(claimOf(answer)) : undefined;

  const replies = useMemo(() => new Map((answer?.moves ?? []).map((m) => [m.move, m])), [answer]);
  const marks = useMemo(() => {
    const m = new Map<string, Mark>();
    if (go) {
      for (const move of position?.legal ?? []) m.set(move, { kind: "open", text: "·" });
      if (picked && !trying) m.set(picked, { kind: answer?.cost ? "bad" : "guess", text: "?" });
    } else if (answer?.role === "loser") {
      const kind = walked ? { kind: "open", text: "·" } as const : { kind: "bad", text: "✗" } as const;
      for (const r of replies.values()) m.set(r.move, { ...kind, says: r.answer ? text.answeredBy(r.answer) : text.loses });
    } else if (answer?.reply) m.set(answer.reply, { kind: "good", text: "✓", says: walked ? text.basis.certificate : text.wins });
    return m;
  }, [answer, replies, go, walked, picked, trying, position]);

  const choose = (name: string) => {
    setHover(undefined);
    if (ended || !game.fresh || !position?.legal?.includes(name)) return;
    if (go && trying) setPending({ key, move: name });
    else if (go) onPick(name);
    else if (answer?.role === "loser") {
      const reply = replies.get(name)?.answer;
      game.play(...(reply ? [name, reply] : [name]));
    } else game.play(name);
  };
  // openFile loads a certificate or a record; what is wrong with it comes back as a sentence.
  const openFile = async (file: File): Promise<string> => {
    if (file.name.endsWith(".sgf")) return openRecord(file, game);
    if (file.size > LARGEST) return text.certificateTooLarge;
    if (!file.size) return text.problems.certificate("");
    setChecking(true);
    try {
      const read = (await (await send("certificates", file, "application/octet-stream")).json()) as Certificate;
      if (!read.valid) return text.certificateInvalid(language === "en" ? (read.reason ?? "") : "");
      onCertificate(read);
      game.load(rootOf(read));
      return "";
    } catch (e) {
      return saidOf(e);
    } finally {
      setChecking(false);
    }
  };

  useEffect(() => {
    if (!dropped) return;
    onOpened();
    void openFile(dropped).then(setDropSays);
  }, [dropped]);

  const wanted = go ? "refute" : "proof";
  const elsewhere = problem?.code === "elsewhere";
  const without = problem && (elsewhere ? said(problem) : problem.kind === "limit" ? sentence(problem, wanted, boardName(game.question, position?.size)) : text.unsettled);
  let words: string;
  if (!position) words = game.problem ? noPosition(game.problem) : text.solving;
  else if (position.over && !(walked && problem)) words = [endSays(position.result), ended].filter(Boolean).join(" ");
  else if (without && (!go || weighed || trying)) words = without;
  else if (weighing) words = a.built !== undefined ? text.building(text.percent(a.built)) : text.weighing(weighed);
  else if (weighed && !known) words = text.costUnknown(weighed);
  else if (go && trying) words = attempt ? text.weighing(attempt) : text.tryMove(position.to_play);
  else if (go) words = !picked ? text.pickMove : !answer ? text.weighing(picked) : text.refuted(picked, answer.cost ?? 0, points(answer.score_before ?? 0), points(answer.score_after ?? 0));
  else if (!answer?.winner) words = walked ? text.solving : text.proving;
  else if (walked) words = ended ?? (answer.reply ? text.scoresWith(claimOf(answer), answer.reply) : text.tryAgainst(claimOf(answer), position.to_play));
  else if (answer.role === "loser") words = text.tryAny(colourOf(position.to_play));
  else words = text.winningReply(colourOf(position.to_play), answer.reply ?? "");

  return (
    <div class="layout">
      <Stage
        game={game}
        marks={marks}
        steps={hover && hover.length > 1 ? hover : go && !trying && answer?.line ? answer.line : undefined}
        stepsBegin={position?.to_play}
        undoSteps={answer?.role === "loser" || own.tried?.reply ? 2 : 1}
        onPoint={choose}
        onPass={ended ? undefined : () => choose("pass")}
        onHover={(name) => {
          const r = name ? replies.get(name) : undefined;
          setHover(r?.answer ? [r.move, r.answer] : undefined);
        }}
        waiting={ended}
        onFile={async (file) => (setFileSays(""), setDropSays(await openFile(file)))}
        fileSays={dropSays}
        busy={!!ready && (go ? !!attempt && (known || weighing) : !answer && !problem)}
      />
      <div class="column">
        <Section title={go ? text.refutation : text.proof}>
          <div class="verdict" aria-live="polite" data-testid="why">
            {position && !position.over && <span class={`turn ${position.to_play}`}>{text.toPlay(position.to_play)}</span>}
            <strong>{words}</strong>
            {trying && own.tried && <span data-testid="tried">{triedSays(own.tried)}</span>}
          </div>
          {go && <Segments label={text.clickMeans} value={trying ? "try" : "judge"} options={[["judge", text.judgeMove], ["try", text.tryMoves]]} onChange={(v) => setTries(v === "try")} />}
          {ready && weighed && !known && <Progress a={a} of={position?.legal?.length} />}
          {position && <Trouble problem={elsewhere ? undefined : problem} titled={problem?.kind === "limit"} wanted={wanted} question={game.question} size={position.size} again={weighed && !known ? a.resume : again} />}
          {!go && answer?.role === "winner" && answer.reply && (
            <button type="button" class="primary" onClick={() => game.play(answer.reply!)}>{answer.reply === "pass" ? text.pass : text.playReply(answer.reply)}</button>
          )}
          <p class="dim">{go ? text.whyGoExplained : walked ? text.whyCertificateExplained : text.whyExplained}</p>
        </Section>
        {go && !trying && <Line title={text.refutationLine(answer?.line?.length ?? 0)} line={answer?.line ?? undefined} cut={answer?.cut} onPlay={(m) => (setTries(true), game.play(...m))} onHover={setHover} />}
        {!go && answer?.role === "loser" && replies.size > 0 && (
          <Section title={text.everyMove}>
            <div class="moves" tabIndex={0} role="region" aria-label={text.everyMove}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{text.move}</th>
                    <th scope="col">{text.answer}</th>
                    <th scope="col">{text.basisTitle}</th>
                  </tr>
                </thead>
                <tbody>
                  {[...replies.values()].map((r) => (
                    <tr key={r.move} onMouseEnter={() => setHover(r.answer ? [r.move, r.answer] : undefined)} onMouseLeave={() => setHover(undefined)}>
                      <td><button type="button" class="link" onClick={() => choose(r.move)}>{text.moveName(r.move)}</button></td>
                      <td>{r.answer ? text.moveName(r.answer) : text.noAnswerNeeded}</td>
                      <td class="dim">{r.by ? (text.basis[r.by] ?? r.by) : ""}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Section>
        )}
        <Section title={text.certificate}>
          {fileSays && <p class="fault" role="alert">{fileSays}</p>}
          <div aria-live="polite">{checking && <p class="dim">{text.clusterWorks.verify}</p>}</div>
          {certificate && (
            <p data-testid="certificate">
              {certificate.game === "go"
                ? text.certificateProves(claimOf(certificate), certificate.size.replace("x", "×"), certificate.to_play, certificate.positions, certificate.id)
                : text.certificateValid(certificate.positions, certificate.winner, certificate.id)}
            </p>
          )}
          {!certificate && answer?.certificate && <p>{text.certificateOurs(answer.certificate.positions)}</p>}
          {!certificate && answer?.certificate?.checksum && (
            <details>
              <summary>{text.certificateSum}</summary>
              <code class="sum">{answer.certificate.checksum}</code>
            </details>
          )}
          <div class="buttons">
            <button type="button" onClick={() => picker.current?.click()}>{text.openCertificate}</button>
            {certificate && (!held || elsewhere) && <button type="button" onClick={() => game.load(rootOf(certificate))}>{text.firstPosition}</button>}
            {certificate && <button type="button" onClick={() => onCertificate(undefined)}>{text.closeCertificate}</button>}
          </div>
          <input
            ref={picker}
            type="file"
            class="hidden"
            tabIndex={-1}
            accept=".cert"
            aria-label={text.openCertificate}
            onChange={(e) => {
              const file = e.currentTarget.files?.[0];
              e.currentTarget.value = "";
              if (file) void openFile(file).then((said) => (setDropSays(""), setFileSays(said)));
            }}
          />
        </Section>
        <OpenGame game={game} />
        <Section title={text.boardTitle}><Setup game={game} about={about} endless={!walked} /></Section>
        <Tree game={game} />
      </div>
    </div>
  );
}
