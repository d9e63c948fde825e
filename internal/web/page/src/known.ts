// Results that are known of whole boards, for when a question cannot be answered here.

import { useEffect, useState } from "preact/hooks";
import { type Cell, get, type Question, type ResultsAnswer } from "./server";

let asked: Promise<ResultsAnswer> | undefined;

// results are asked for once. Whoever could not get them asks again.
export function results(): Promise<ResultsAnswer> {
  asked ??= get("results").catch((e) => {
    asked = undefined;
    throw e;
  });
  return asked;
}

const turned = (size?: string) => size?.split("x").reverse().join("x");

// knownOf is the result of an empty board, whichever way it lies.
export function knownOf(q: Question, answer?: ResultsAnswer): Cell | undefined {
  if (q.moves?.length || (q.position && /[^./]/.test(q.position)) || q.to_play === "w") return undefined;
  const size = q.size ?? (q.position && `${q.position.split("/").length}x${q.position.split("/")[0].length}`);
  const rules = (x: Question | Cell["question"]) => (x.game === "go" ? (x.rules ?? "basic") : "");
  for (const table of answer?.tables ?? [])
    for (const c of table.cells ?? [])
      if (c.question.game === q.game && rules(c.question) === rules(q) && (c.question.size === size || c.question.size === turned(size))) return c;
  return undefined;
}

export function useKnown(q: Question | undefined): Cell | undefined {
  const [answer, setAnswer] = useState<ResultsAnswer>();
  const wanted = !!q;
  useEffect(() => {
    if (wanted) results().then(setAnswer, () => undefined); // it only adds to an answer
  }, [wanted]);
  return q && knownOf(q, answer);
}
