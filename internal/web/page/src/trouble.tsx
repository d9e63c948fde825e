// What a player reads when there is no answer: what is known, and what can be done now.
// The server's own words are for those who run it, and stand behind a fold.

import { useEffect } from "preact/hooks";
import { Build } from "./build";
import { local, look, type Problem, said, tongue, useConnection } from "./connection";
import { boardName, points } from "./judgement";
import { useKnown } from "./known";
import { link } from "./link";
import { type Cell, type Question } from "./server";
import { text } from "./strings";

export type Wanted = keyof typeof text.beyond;

// knownSays is a result of Results in one sentence.
export function knownSays(c: Cell): string {
  const board = boardName(c.question as Question);
  return c.score !== undefined ? text.knownResult(board, points(c.score)) : text.knownWinner(board, c.winner ?? "");
}

// headline says it shorter, where the board is seen.
export function headline(c: Cell): string {
  if (c.score === undefined) return text.winsWithBestPlay(c.winner ?? "");
  return c.source ? text.published(points(c.score), c.move ?? "") : text.scoreWithBestPlay(points(c.score));
}

export function sentence(problem: Problem, wanted: Wanted, board: string): string {
  if (local(problem)) return said(problem);
  switch (problem.kind) {
    case "busy":
      return text.busy;
    case "broken":
      return text.broken;
    case "limit":
      return problem.code === "table" ? text.notBuilt(board) : text.beyond[wanted](board);
  }
  return said(problem);
}

// offers are boards that always have an answer, and what else there is for this one.
function offers(q: Question, wanted: Wanted, size: string): { href: string; title: string }[] {
  const list: { href: string; title: string }[] = [];
  const mode = wanted === "play" ? "play" : "explore";
  const open = (to: Question) => list.push({ href: link(mode, to), title: (wanted === "play" ? text.playIt : text.openIt)(boardName(to)) });
  if (wanted === "proof" || wanted === "learn") list.push({ href: link("explore", q), title: text.exploreIt });
  if (q.game === "go") {
    if (size !== "4x4" || q.rules !== "basic") open({ game: "go", rules: "basic", size: "4x4" });
    open({ game: "nogo", size });
  } else if (wanted !== "learn") open({ game: "nogo", size: "4x4" });
  list.push({ href: link("results", q), title: text.seeResults });
  return list;
}

interface TroubleProps {
  problem?: Problem;
  wanted: Wanted;
  question: Question;
  size: string;
  titled?: boolean; // the headline above says what the problem is
  told?: boolean; // and what is known
  again?(): void;
}

export function Trouble({ problem, wanted, question, size, titled, told, again }: TroubleProps) {
  const limited = problem?.kind === "limit";
  const board = useKnown(limited ? question : undefined);
  const known = told ? undefined : board;
  const { down } = useConnection();
  useEffect(() => {
    if (limited) void look(); // a server that stops ends its streams too
  }, [problem]);
  if (!problem || down) return null;
  return (
    <div class={limited ? "trouble" : "trouble fault"} role="alert" data-testid="trouble">
      {!titled && <p lang={problem.kind === "input" ? tongue(problem) : undefined}>{sentence(problem, wanted, boardName(question, size))}</p>}
      {known && <p>{knownSays(known)}</p>}
      {board?.source && <p class="dim" lang="en">{board.source}</p>}
      {problem.code === "table" && again && <Build size={size} onBuilt={again} />}
      {limited && (
        <>
          <p class="dim">{text.youCan}</p>
          <p class="buttons">{offers(question, wanted, size).map((o) => <a key={o.href} class="button" href={o.href}>{o.title}</a>)}</p>
        </>
      )}
      {again && problem.kind === "broken" && <p><button type="button" onClick={again}>{text.tryAgain}</button></p>}
      {problem.kind !== "input" && !local(problem) && problem.message && (
        <details>
          <summary>{text.serverSays}</summary>
          <p class="dim" lang="en">{problem.message}</p>
        </details>
      )}
    </div>
  );
}
