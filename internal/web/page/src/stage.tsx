// The left side of every mode: the board and the buttons below it.

import { type ComponentChildren, type Ref } from "preact";
import { Board, type BoardProps } from "./board";
import { useEffect, useState } from "preact/hooks";
import { endOf, type Game, keyOf } from "./game";
import { START } from "./link";
import { Icon } from "./icon";
import { Fault } from "./parts";
import { pointOf } from "./points";
import { text } from "./strings";

export interface StageProps extends Omit<BoardProps, "signs" | "last" | "legal"> {
  game: Game;
  at?: Ref<HTMLDivElement>;
  passMark?: string;
  notice?: ComponentChildren;
  fileSays?: string; // what is wrong with a file that was dropped
  tools?: ComponentChildren; // below the board
  waiting?: string; // why nothing can be played now
  onPass?(): void;
  onSwap?(): void; // instead of swapping the colours of the board alone
  undoSteps?: number;
}

export function Stage(p: StageProps) {
  const { game } = p;
  const { position } = game;
  const back = !!game.here.parent;
  const forward = game.here.children.length > 0;
  const pass = position?.legal?.includes("pass") && p.onPass;
  // A click that does nothing is answered in words.
  const key = keyOf(game.question);
  const [refused, setRefused] = useState({ key, says: "" });
  const occupied = (name: string) => {
    const v = pointOf({ rows: game.signs.length, cols: game.signs[0].length }, name);
    return !v || game.signs[v[1]][v[0]] !== 0;
  };
  const refusal = (name: string): string => {
    if (position!.over) return text.isOver;
    if (occupied(name)) return text.occupied(name);
    if (p.waiting) return p.waiting;
    if (!game.fresh || position!.legal?.includes(name)) return "";
    return (game.start.game === "go" ? text.illegalGo : text.illegalNoGo)(name);
  };
  const onPoint = (name: string) => {
    setRefused({ key, says: p.editing || !position ? "" : refusal(name) });
    p.onPoint?.(name);
  };
  const keys: Record<string, () => void> = {
    u: () => game.undo(p.undoSteps),
    r: game.redo,
    p: () => pass && p.onPass?.(),
    t: () => game.turn("rotate"),
    m: () => game.turn("mirror"),
    f: () => game.turn("flip"),
    s: p.onSwap ?? game.swap,
    Home: () => game.go(game.top),
    End: () => game.go(endOf(game.here)),
  };
  // Undo and redo as everywhere, wherever the focus is, but where something is typed.
  useEffect(() => {
    const undone = (e: KeyboardEvent) => {
      if (!(e.ctrlKey || e.metaKey) || e.altKey || (e.target as Element).closest?.("input, select, textarea")) return;
      const key = e.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      e.preventDefault();
      if (key === "y" || e.shiftKey) keys.r();
      else keys.u();
    };
    addEventListener("keydown", undone);
    return () => removeEventListener("keydown", undone);
  });
  return (
    <div class="stage" ref={p.at}>
      {p.notice}
      <Board
        {...p}
        signs={game.signs}
        legal={position?.legal ?? undefined}
        onPoint={onPoint}
        last={game.here.move || undefined}
        busy={p.busy || !(game.fresh || game.problem)}
        onKey={(key) => {
          const action = keys[key.length === 1 ? key.toLowerCase() : key];
          action?.();
          return !!action;
        }}
      />
      <div class="toolbar" role="toolbar" aria-label={text.boardTools}>
        <button type="button" title={text.first} aria-label={text.first} disabled={!back} onClick={keys.Home}><Icon name="first" /></button>
        <button type="button" title={text.undo} aria-label={text.undo} disabled={!back} onClick={keys.u}><Icon name="back" /></button>
        <button type="button" title={text.redo} aria-label={text.redo} disabled={!forward} onClick={keys.r}><Icon name="forward" /></button>
        <button type="button" title={text.last} aria-label={text.last} disabled={!forward} onClick={keys.End}><Icon name="last" /></button>
        {pass && <button type="button" class="pass" onClick={p.onPass}>{text.pass}{p.passMark ? ` (${p.passMark})` : ""}</button>}
        <span class="gap" />
        <button type="button" title={text.rotate} aria-label={text.rotate} onClick={keys.t}><Icon name="rotate" /></button>
        <button type="button" title={text.mirror} aria-label={text.mirror} onClick={keys.m}><Icon name="mirror" /></button>
        <button type="button" title={text.flip} aria-label={text.flip} onClick={keys.f}><Icon name="flip" /></button>
        <button type="button" title={text.swap} aria-label={text.swap} onClick={keys.s}><Icon name="swap" /></button>
      </div>
      <div aria-live="polite">{refused.says && refused.key === key && <p class="notice">{refused.says}</p>}</div>
      {p.tools}
      {p.fileSays && <p class="fault" role="alert">{p.fileSays}</p>}
      <Fault problem={game.problem} at={["position", "to_play", "ko", "passed", "moves"]} />
      {game.problem && (
        <p class="fault-actions">
          {!["body.position", "body.to_play", "body.ko", "body.passed", "body.moves", "body.size", "body.game", "body.rules"].some((l) => game.problem!.location.startsWith(l)) && (
            <Fault problem={game.problem} at={[""]} />
          )}
          {game.problem.kind === "broken" && <button type="button" onClick={game.again}>{text.tryAgain}</button>}
          {game.problem.kind !== "busy" && <button type="button" onClick={() => game.load(START)}>{text.startOver}</button>}
        </p>
      )}
    </div>
  );
}
