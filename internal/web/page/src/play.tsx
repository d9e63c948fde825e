// Play: a game against the perfect player or another, and its review.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAnalysis } from "./analysis";
import { CLOCKS, Clocks, useClock } from "./clock";
import { failure, noPosition, type Problem, useConnection, useRetry } from "./connection";
import { endOf, type Game, keyOf, movesTo, path } from "./game";
import { boardName, endSays, type Mark, marksOf, points } from "./judgement";
import { tab } from "./kept";
import { asked, choices, levelTitle, means, meansHere, settle } from "./opponent";
import { Playouts, Progress, Section, Segments, Setup, Tree } from "./parts";
import { other } from "./points";
import { Review, useReview } from "./review";
import { type About, type Colour, type Finding, post, type Question } from "./server";
import { OpenGame, openRecord, Share } from "./share";
import { Stage } from "./stage";
import { text } from "./strings";
import { sentence, Trouble } from "./trouble";

// Until the server has said which there are.
const LEVELS = Array.from({ length: 10 }, (_, i) => i + 1);

// Saved is what a reload keeps. The moves are in the address.
interface Saved {
  you: Colour;
  choice: string;
  seconds: number;
  onClock: number; // seconds for each side
  used: Record<Colour, number>; // milliseconds of the clock
  game?: string; // the one that is being played
  resigned?: { key: string; colour: Colour }; // where somebody gave up
}

const FRESH: Saved = { you: "b", choice: "5", seconds: 1, onClock: 0, used: { b: 0, w: 0 } };

function restore(): Saved {
  try {
    return { ...FRESH, ...(JSON.parse(tab.read("play") ?? "{}") as Partial<Saved>) };
  } catch {
    return FRESH; // not written by this page
  }
}

// The opponent's last move in words, for the position it led to.
interface Said {
  key: string;
  words: string;
}

// usePlayable finds out, before the first stone, whether a board of Go can be played. Its
// table is prepared on the way.
function usePlayable(game: Game) {
  const go = game.start.game === "go";
  const trial = useAnalysis(go && !game.here.parent && game.fresh && !game.position?.over ? game.start : undefined);
  const { status, nodes, built, stop } = trial;
  // The first moves are remembered: they say what a level is on this board.
  const key = keyOf(game.start);
  const [first, setFirst] = useState<{ key: string; moves: Finding[] }>();
  useEffect(() => {
    if (status === "done") setFirst({ key, moves: [...trial.moves.values()] });
  }, [status, key]);
  useEffect(() => {
    if (status === "running" && nodes && built === undefined) stop(); // it is searched, so it can be played
  }, [status, nodes, built]);
  return { problem: status === "refused" && trial.problem?.kind === "limit" ? trial.problem : undefined, built, again: trial.resume, moves: first?.key === key ? first.moves : undefined };
}

// Discard asks before a game is given up. The keyboard begins at the answer that keeps it.
function Discard({ onYes, onNo }: { onYes(): void; onNo(): void }) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div class="question" role="alertdialog" aria-label={text.newGame} onKeyDown={(e) => e.key === "Escape" && onNo()}>
      <p>{text.discard}</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={onYes}>{text.discardYes}</button>
        <button ref={keep} type="button" onClick={onNo}>{text.discardNo}</button>
      </div>
    </div>
  );
}

export function Play({ game, about, review: wanted, onReview }: { game: Game; about?: About; review: boolean; onReview(): void }) {
  const [saved] = useState(restore);
  const [you, setYou] = useState(saved.you);
  const [choice, setChoice] = useState(saved.choice);
  const [seconds, setSeconds] = useState(saved.seconds);
  const [onClock, setOnClock] = useState(saved.onClock);
  const [round, setRound] = useState(0);
  const key = keyOf(game.question);
  const [playing, setPlaying] = useState(saved.game === key);
  const [used] = useState(saved.game === key ? saved.used : FRESH.used);
  const [resigned, setResigned] = useState(saved.resigned);
  const [forced, setForced] = useState(""); // where the opponent goes on although there are moves
  const [asking, setAsking] = useState(false);
  const [dropSays, setDropSays] = useState("");
  const [hint, setHint] = useState<string>();
  const [said, setSaid] = useState<Said>();
  const [wrong, setWrong] = useState<{ key: string; problem: Problem }>();
  const [run, setRun] = useState(0);
  const { position } = game;
  const levels = about?.levels ?? LEVELS;
  const { down, epoch } = useConnection();
  const running = playing && position && !position.over ? position.to_play : undefined;
  const clock = useClock(onClock, running, round, used);
  const back = game.here.children.length > 0; // moves follow: somebody looks back
  const thinking = playing && !clock.flag && game.fresh && !!position && !position.over && position.to_play !== you && (!back || forced === key);
  const playable = usePlayable(game);
  const offered = choices(game.start.game, position?.players ?? null, levels, position?.strongest);
  const opponent = settle(choice, offered);
  const review = useReview(game);
  // On a phone the list of mistakes and the better line are far below the board. The focus stays there.
  const stage = useRef<HTMLDivElement>(null);
  const seeBoard = () => {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    stage.current?.querySelector(".board")?.scrollIntoView({ block: "nearest", behavior: still ? "instant" : "smooth" });
  };
  useEffect(() => {
    if (!wanted) return;
    onReview();
    setPlaying(false);
    review.run();
  }, [wanted]);

  useLayoutEffect(() => {
    const now: Saved = { you, choice, seconds, onClock, used: clock.used, game: playing ? key : undefined, resigned };
    tab.write("play", JSON.stringify(now));
  });
  const ended = !!clock.flag || (game.fresh && !!position?.over);
  useEffect(() => {
    if (ended) setPlaying(false);
  }, [ended]);
  useEffect(() => setAsking(false), [key]);
  // The answer to the question takes the focus with it: it returns to where it came from.
  const asker = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (wasAsking.current && !asking && document.activeElement === document.body) asker.current?.focus();
    wasAsking.current = asking;
  }, [asking]);
  // Another board or a new game has full clocks.
  const { top } = game;
  const played = useRef(top);
  useEffect(() => {
    if (played.current !== top) setRound((n) => n + 1);
    played.current = top;
  }, [top]);
  const begin = () => {
    if (clock.flag) setRound((n) => n + 1);
    setPlaying(true);
  };

  useEffect(() => {
    if (!thinking) return;
    const stop = new AbortController();
    setWrong(undefined);
    post("play", { ...game.question, ...asked(opponent, game.question, levels), seconds }, stop.signal).then(
      (answer) => {
        if (stop.signal.aborted) return;
        const after: Question = { ...game.question, moves: [...(game.question.moves ?? []), answer.move] };
        const c = position.to_play;
        const words = [text.opponentPlayed(c, answer.move)];
        if (answer.score !== undefined) words.push(text.scoreWithBestPlay(points(answer.score)));
        else if (answer.known === "won") words.push(text.opponentWon(c));
        else if (answer.known === "lost") words.push(text.opponentLost(c));
        else if (answer.win_share !== undefined) words.push(text.opponentExpects(c, text.estimated(answer.win_share)));
        setSaid({ key: keyOf(after), words: words.join(" ") });
        game.answer(answer.move);
      },
      (e) => {
        if (stop.signal.aborted) return;
        const problem = failure(e);
        if (!problem) return;
        setWrong({ key, problem });
        if (problem.kind !== "busy") setPlaying(false);
      },
    );
    return () => stop.abort();
  }, [thinking, key, epoch, run]);
  useRetry(wrong?.problem, () => setRun((n) => n + 1));

  const a = useAnalysis(hint === key && game.fresh && position && !position.over ? game.question : undefined);
  const marks = useMemo(() => {
    return hint === key && position ? marksOf(a, position.to_play) : new Map<string, Mark>();
  }, [hint, key, a.moves, a.best, position]);

  const move = (name: string) => {
    if (!position || !game.fresh || position.over || !position.legal?.includes(name) || thinking || playable.problem) return;
    if (!playing) {
      setYou(position.to_play);
      begin();
    }
    game.play(name);
  };
  const takeBack = () => game.undo(position && !position.over && position.to_play !== you ? 1 : game.here.parent?.parent && position?.to_play === you ? 2 : 1);
  const underWay = playing && !!game.top.children.length;
  const newGame = () => {
    setAsking(false);
    game.load({ ...game.start, moves: undefined });
    setPlaying(true);
  };
  // Who swaps the colours in a game keeps the stones that were played, in the other colour.
  const swap = () => {
    game.swap();
    if (!playing) return;
    setYou(other(you));
    clock.swap();
  };
  // The game is not lost with it: it can be reviewed, and goes on with the next move.
  const resign = () => {
    setResigned({ key, colour: you });
    setPlaying(false);
  };
  const goOn = () => {
    if (!playing) setYou(position!.to_play);
    else setForced(key);
    begin();
  };
  const says = (): string => {
    if (!position || (down && (thinking || !game.fresh))) return game.problem ? noPosition(game.problem) : "";
    if (review.running && !playing) return text.reviewing(review.judged.filter(Boolean).length, review.nodes.length);
    if (review.at && !playing) return review.at;
    if (position.over) return endSays(position.result);
    if (clock.flag) return text.timeUp(clock.flag);
    if (resigned?.key === key && !playing) return text.resigned(resigned.colour);
    if (playable.problem) return sentence(playable.problem, "play", boardName(game.start, position.size));
    if (playable.built !== undefined) return text.building(text.percent(playable.built));
    if (!playing && game.top.children.length) {
      const played = path(game.here).length;
      const all = movesTo(endOf(game.here)).length;
      return played === all && game.opened?.result ? text.recordEnds(game.opened.result) : text.onBoard(played, all);
    }
    if (!playing) return text.playToBegin;
    if (thinking || !game.fresh) return text.thinking;
    if (position.to_play !== you) return text.waitTurn;
    return (game.here.move === "pass" ? text.yourTurnPassed : text.yourTurn)(you);
  };
  const status = says();

  return (
    <div class="layout">
      <Stage
        game={game}
        at={stage}
        marks={review.marks ?? marks}
        steps={review.steps}
        stepsBegin={position?.to_play}
        onPoint={move}
        onPass={() => move("pass")}
        onSwap={swap}
        onFile={async (file) => (setPlaying(false), setDropSays(await openRecord(file, game)))}
        fileSays={dropSays}
        next={position && game.fresh && !position.over && !thinking && !playable.problem ? position.to_play : undefined}
        undoSteps={playing && position?.to_play === you ? 2 : 1}
        busy={thinking}
        waiting={thinking ? text.waitTurn : playable.problem && status}
      />
      <div class="column">
        <Section title={text.theGame}>
          <div class="verdict" aria-live="polite" data-testid="status">
            {position && <span class={`turn ${position.to_play}`}>{position.over ? text.over : text.toPlay(position.to_play)}</span>}
            <strong>{status}</strong>
            {said?.key === key && <span class="dim">{said.words}</span>}
          </div>
          {onClock > 0 && <Clocks clock={clock} running={running} />}
          {position && playable.problem && <Trouble problem={playable.problem} wanted="play" question={game.start} size={position.size} titled again={playable.again} />}
          {position && wrong?.key === key && <Trouble problem={wrong.problem} wanted="play" question={game.question} size={position.size} again={begin} />}
          {playing && back && (
            <p class="notice">
              {text.lookingBack(path(game.here).length, movesTo(endOf(game.here)).length)} <button type="button" class="link" onClick={() => game.go(endOf(game.here))}>{text.toTheGame}</button>
            </p>
          )}
          {asking ? (
            <Discard onYes={newGame} onNo={() => setAsking(false)} />
          ) : (
            <div class="buttons">
              <button ref={asker} type="button" class="primary" disabled={!!playable.problem} onClick={() => (underWay ? setAsking(true) : newGame())}>{text.newGame}</button>
              <button type="button" disabled={!game.here.parent} onClick={takeBack}>{text.takeBack}</button>
              <button type="button" disabled={!position || position.over || !!playable.problem} onClick={() => setHint(hint === key ? undefined : key)}>
                {hint === key ? text.hideHint : text.hint}
              </button>
              <button type="button" disabled={!underWay || ended} onClick={resign}>{text.resign}</button>
              {position && !position.over && game.here.parent && (playing ? back && position.to_play !== you : true) && <button type="button" onClick={goOn}>{text.goOn}</button>}
            </div>
          )}
          {hint === key && (
            <>
              {a.best?.move && <p>{text.hintSays(a.best.move)}</p>}
              <Progress a={a} of={position?.legal?.length} />
              <Playouts list={[...a.moves.values()]} />
              {position && <Trouble problem={a.problem} wanted="moves" question={game.question} size={position.size} again={a.resume} />}
            </>
          )}
        </Section>
        <OpenGame game={game} />
        <Review game={game} review={review} onLine={(moves) => (setPlaying(false), game.play(...moves), seeBoard())} onShow={seeBoard} />
        <Section title={text.opponent}>
          <div class="setup">
            <label class="whole">
              <span>{text.player}</span>
              <select value={opponent} onChange={(e) => setChoice(e.currentTarget.value)}>
                {offered.perfect && <option value="perfect">{text.perfect}</option>}
                {[...offered.levels].reverse().map((l) => <option key={l} value={String(l)}>{levelTitle(l, levels)}</option>)}
                {offered.programs.length > 0 && (
                  <optgroup label={text.otherPlayers}>
                    {offered.programs.map((p) => <option key={p} value={p}>{text.playerNames[p]}</option>)}
                  </optgroup>
                )}
              </select>
            </label>
            <p class="dim whole" data-testid="opponent">
              {means(opponent, game.start.game, levels)} {position && meansHere(opponent, position, about, playable.moves)}
            </p>
            <label>
              <span>{text.seconds}</span>
              <select value={seconds} onChange={(e) => setSeconds(Number(e.currentTarget.value))}>
                {[0.5, 1, 2, 5, 10].map((s) => <option key={s} value={s}>{text.secondsLong(s)}</option>)}
              </select>
            </label>
            <label>
              <span>{text.clock}</span>
              <select value={onClock} onChange={(e) => setOnClock(Number(e.currentTarget.value))}>
                {CLOCKS.map((s) => <option key={s} value={s}>{text.clockLong(s)}</option>)}
              </select>
            </label>
          </div>
          <Segments
            label={text.yourColour}
            value={you}
            options={[["b", text.youAre("b")], ["w", text.youAre("w")]]}
            onChange={(v) => setYou(v === you ? you : other(you))}
          />
          <Setup game={game} about={about} />
        </Section>
        <Tree game={game} />
        <Share game={game} marks={marks} />
      </div>
    </div>
  );
}
