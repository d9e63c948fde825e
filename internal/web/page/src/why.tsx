// Why: a proof that can be walked. The losing side tries any move, the page has the answer.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type About, type Certificate, type Endless, post, send, type WhyAnswer } from "./server";
import { useAnalysis } from "./analysis";
import { failure, noPosition, type Problem, saidOf, useConnection, useRetry } from "./connection";
import { type Game, keyOf } from "./game";
import { boardName, colourOf, endSays, type Mark, points } from "./judgement";
import { Line, Progress, Section, Segments, Setup, Tree } from "./parts";
import { OpenGame, openRecord } from "./share";
import { Stage } from "./stage";
import { language, text } from "./strings";
import { sentence, Trouble } from "./trouble";

const LARGEST = 8 << 20;

// A board that is too large for a proof is a limit, not a mistake of the reader.
const limited = (p?: Problem): Problem | undefined => (p?.location === "body.size" ? { ...p, kind: "limit" } : p);

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
}

export function Why({ game, about, picked, onPick, dropped, onOpened }: WhyProps) {
  const go = game.start.game === "go";
  const [certificate, setCertificate] = useState<Certificate>();
  const [fileSays, setFileSays] = useState("");
  const [dropSays, setDropSays] = useState("");
  const [hover, setHover] = useState<string[]>();
  const [trying, setTrying] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const { position } = game;
  const ready = game.fresh && position && !position.over;
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
    ready && (!go || (picked && !trying && known)) ? { ...game.question, ...(go ? { move: picked, ...endless } : {}), ...(certificate?.valid ? { certificate: certificate.id } : {}) } : undefined,
  );
  const problem = (weighed && !known ? a.problem : undefined) ?? (trying ? own.problem : asked);

  const replies = useMemo(() => new Map((answer?.moves ?? []).map((m) => [m.move, m])), [answer]);
  const marks = useMemo(() => {
    const m = new Map<string, Mark>();
    if (go) {
      for (const move of position?.legal ?? []) m.set(move, { kind: "open", text: "·" });
      if (picked && !trying) m.set(picked, { kind: answer?.cost ? "bad" : "guess", text: "?" });
    } else if (answer?.role === "loser") for (const r of replies.values()) m.set(r.move, { kind: "bad", text: "✗", says: r.answer ? text.answeredBy(r.answer) : text.loses });
    else if (answer?.reply) m.set(answer.reply, { kind: "good", text: "✓", says: text.wins });
    return m;
  }, [answer, replies, go, picked, trying, position]);

  const choose = (name: string) => {
    setHover(undefined);
    if (!game.fresh || !position?.legal?.includes(name)) return;
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
    try {
      const read = (await (await send("certificates", file, "application/octet-stream")).json()) as Certificate;
      if (!read.valid) return text.certificateInvalid(language === "en" ? (read.reason ?? "") : "");
      setCertificate(read);
      game.load({ game: "nogo", size: read.size, position: read.position, to_play: read.to_play.startsWith("w") ? "w" : "b" });
      return "";
    } catch (e) {
      return saidOf(e);
    }
  };

  useEffect(() => {
    if (!dropped) return;
    onOpened();
    void openFile(dropped).then(setDropSays);
  }, [dropped]);

  const wanted = go ? "refute" : "proof";
  const beyond = limited(problem);
  const without = beyond && (beyond.kind === "limit" ? sentence(beyond, wanted, boardName(game.question, position?.size)) : text.unsettled);
  let words: string;
  if (!position) words = game.problem ? noPosition(game.problem) : text.solving;
  else if (position.over) words = endSays(position.result);
  else if (without && (!go || weighed || trying)) words = without;
  else if (weighing) words = a.built !== undefined ? text.building(text.percent(a.built)) : text.weighing(weighed);
  else if (weighed && !known) words = text.costUnknown(weighed);
  else if (go && trying) words = attempt ? text.weighing(attempt) : text.tryMove(position.to_play);
  else if (go) words = !picked ? text.pickMove : !answer ? text.weighing(picked) : text.refuted(picked, answer.cost ?? 0, points(answer.score_before ?? 0), points(answer.score_after ?? 0));
  else if (!answer?.winner) words = text.proving;
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
        onPass={() => choose("pass")}
        onHover={(name) => {
          const r = name ? replies.get(name) : undefined;
          setHover(r?.answer ? [r.move, r.answer] : undefined);
        }}
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
          {go && <Segments label={text.clickMeans} value={trying ? "try" : "judge"} options={[["judge", text.judgeMove], ["try", text.tryMoves]]} onChange={(v) => setTrying(v === "try")} />}
          {weighed && !known && <Progress a={a} of={position?.legal?.length} />}
          {position && <Trouble problem={beyond} titled={beyond?.kind === "limit"} wanted={wanted} question={game.question} size={position.size} again={weighed && !known ? a.resume : again} />}
          {!go && answer?.role === "winner" && answer.reply && (
            <button type="button" class="primary" onClick={() => game.play(answer.reply!)}>{text.playReply(answer.reply)}</button>
          )}
          <p class="dim">{go ? text.whyGoExplained : text.whyExplained}</p>
        </Section>
        {go && !trying && <Line title={text.refutationLine(answer?.line?.length ?? 0)} line={answer?.line ?? undefined} cut={answer?.cut} onPlay={(m) => (setTrying(true), game.play(...m))} onHover={setHover} />}
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
                      <td><button type="button" class="link" onClick={() => choose(r.move)}>{r.move}</button></td>
                      <td>{r.answer ?? text.noAnswerNeeded}</td>
                      <td class="dim">{r.by ? (text.basis[r.by] ?? r.by) : ""}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Section>
        )}
        {!go && (
          <Section title={text.certificate}>
            {fileSays && <p class="fault" role="alert">{fileSays}</p>}
            {certificate?.valid && <p data-testid="certificate">{text.certificateValid(certificate.positions, certificate.winner, certificate.id)}</p>}
            {!certificate && answer?.certificate && <p>{text.certificateOurs(answer.certificate.positions)}</p>}
            {!certificate && answer?.certificate?.checksum && (
              <details>
                <summary>{text.certificateSum}</summary>
                <code class="sum">{answer.certificate.checksum}</code>
              </details>
            )}
            <div class="buttons">
              <button type="button" onClick={() => picker.current?.click()}>{text.openCertificate}</button>
              {certificate && <button type="button" onClick={() => setCertificate(undefined)}>{text.useOwn}</button>}
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
        )}
        <OpenGame game={game} />
        <Section title={text.boardTitle}><Setup game={game} about={about} endless /></Section>
        <Tree game={game} />
      </div>
    </div>
  );
}
