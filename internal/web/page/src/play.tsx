// Play: a game against the perfect player or the tree search, and its review.

import { useEffect, useMemo, useState } from "preact/hooks";
import { type About, type PlayAnswer, post } from "./api";
import { useAnalysis } from "./analysis";
import { CLOCKS, Clocks, useClock } from "./clock";
import { failure, useConnection } from "./connection";
import { type Game, keyOf } from "./game";
import { type Mark, marksOf } from "./judgement";
import { Progress, Section, Segments, Setup, Tree } from "./parts";
import { type Colour, other } from "./points";
import { Review } from "./review";
import { openRecord, Share } from "./share";
import { Stage } from "./stage";
import { text } from "./strings";

// Until the server has said which there are.
const LEVELS = Array.from({ length: 10 }, (_, i) => i + 1);

export function Play({ game, about }: { game: Game; about?: About }) {
  const [you, setYou] = useState<Colour>("b");
  const [player, setPlayer] = useState("auto");
  const [level, setLevel] = useState(5);
  const [seconds, setSeconds] = useState(1);
  const [onClock, setOnClock] = useState(0); // seconds for each side
  const [round, setRound] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [dropSays, setDropSays] = useState("");
  const [hint, setHint] = useState<string>();
  const [says, setSays] = useState("");
  const [wrong, setWrong] = useState("");
  const { position } = game;
  const levels = about?.levels ?? LEVELS;
  const { epoch } = useConnection();
  const key = keyOf(game.question);
  const running = playing && position && !position.over ? position.to_play : undefined;
  const clock = useClock(onClock, running, round);
  const thinking = playing && !clock.flag && game.fresh && !!position && !position.over && position.to_play !== you;
  useEffect(() => {
    if (clock.flag) setPlaying(false);
  }, [clock.flag]);
  const begin = () => {
    if (clock.flag) setRound((n) => n + 1);
    setPlaying(true);
  };

  useEffect(() => {
    if (!thinking) return;
    const stop = new AbortController();
    setWrong("");
    post<PlayAnswer>("play", { ...game.question, player, level, seconds }, stop.signal).then(
      (answer) => {
        if (stop.signal.aborted) return;
        setSays(answer.says ?? "");
        game.play(answer.move);
      },
      (e) => {
        if (stop.signal.aborted) return;
        const problem = failure(e);
        if (problem) {
          setWrong(problem.message);
          setPlaying(false);
        }
      },
    );
    return () => stop.abort();
  }, [thinking, key, epoch]);

  const a = useAnalysis(hint === key && game.fresh && position && !position.over ? game.question : undefined);
  const marks = useMemo(() => {
    return hint === key && position ? marksOf(a, position.to_play) : new Map<string, Mark>();
  }, [hint, key, a.moves, a.best, position]);

  const move = (name: string) => {
    if (!position || !game.fresh || position.over || !position.legal.includes(name) || thinking) return;
    if (!playing) {
      setYou(position.to_play);
      begin();
    }
    setSays("");
    game.play(name);
  };
  const takeBack = () => game.undo(position && !position.over && position.to_play !== you ? 1 : game.here.parent?.parent && position?.to_play === you ? 2 : 1);
  const newGame = () => {
    game.load({ ...game.start, moves: undefined });
    setSays("");
    setRound((n) => n + 1);
    setPlaying(true);
  };
  const status = !position
    ? ""
    : position.over
      ? (position.result?.text ?? text.over)
      : clock.flag
        ? text.timeUp(clock.flag)
      : !playing
        ? text.playToBegin
        : thinking || !game.fresh
          ? text.thinking
          : text.yourTurn(you);

  return (
    <div class="layout">
      <Stage
        game={game}
        marks={marks}
        onPoint={move}
        onPass={() => move("pass")}
        onFile={async (file) => (setPlaying(false), setDropSays(await openRecord(file, game)))}
        fileSays={dropSays}
        next={position && game.fresh && !position.over && !thinking ? position.to_play : undefined}
        undoSteps={playing && position?.to_play === you ? 2 : 1}
        busy={thinking}
      />
      <div class="column">
        <Section title={text.theGame}>
          <div class="verdict" aria-live="polite" data-testid="status">
            {position && <span class={`turn ${position.to_play}`}>{position.over ? text.over : text.toPlay(position.to_play)}</span>}
            <strong>{status}</strong>
            {says && <span class="dim">{says}</span>}
          </div>
          {onClock > 0 && <Clocks clock={clock} running={running} />}
          {wrong && <p class="fault" role="alert">{wrong}</p>}
          <div class="buttons">
            <button type="button" class="primary" onClick={newGame}>{text.newGame}</button>
            <button type="button" disabled={!game.here.parent} onClick={takeBack}>{text.takeBack}</button>
            <button type="button" disabled={!position || position.over} onClick={() => setHint(hint === key ? undefined : key)}>
              {hint === key ? text.hideHint : text.hint}
            </button>
            {position && !position.over && game.here.parent && !playing && <button type="button" onClick={() => (setYou(position.to_play), begin())}>{text.goOn}</button>}
          </div>
          {hint === key && (
            <>
              {a.best?.move && <p>{text.hintSays(a.best.move)}</p>}
              <Progress a={a} of={position?.legal.length} />
            </>
          )}
        </Section>
        <Review game={game} />
        <Section title={text.opponent}>
          <div class="setup">
            <label class="whole">
              <span>{text.player}</span>
              <select value={player} onChange={(e) => setPlayer(e.currentTarget.value)}>
                {(about?.players?.length ? about.players : [{ name: "auto", title: text.auto }]).map((x) => (
                  <option key={x.name} value={x.name}>{x.title}</option>
                ))}
              </select>
            </label>
            <label>
              <span>{text.level}</span>
              <select value={level} onChange={(e) => setLevel(Number(e.currentTarget.value))}>
                {levels.map((l) => <option key={l} value={l}>{text.levelName(l, levels.length)}</option>)}
              </select>
            </label>
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
