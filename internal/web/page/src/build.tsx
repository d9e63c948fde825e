// Building the table of a board of Go that is missing, with its progress.

import { useEffect, useState } from "preact/hooks";
import { failure, limit, type Problem, said } from "./connection";
import { events } from "./server";
import { text } from "./strings";

interface State {
  status: "off" | "running" | "stopped";
  place?: number;
  share?: number;
  left?: number;
  problem?: Problem;
}

// Build offers to build the table of a board. It stops when the reader cancels or leaves;
// what is done is kept on the server.
export function Build({ size, onBuilt }: { size: string; onBuilt(): void }) {
  const [state, setState] = useState<State>({ status: "off" });
  const running = state.status === "running";
  useEffect(() => setState({ status: "off" }), [size]);
  useEffect(() => {
    if (!running) return;
    const stop = new AbortController();
    const begin = async () => {
      let built = false;
      try {
        await events("table", { size }, stop.signal, (news) => {
          if (stop.signal.aborted) return;
          if (news.event === "queued") setState({ status: "running", place: news.data.place });
          else if (news.event === "building") setState({ status: "running", share: news.data.share, left: news.data.left });
          else if (news.event === "problem") setState({ status: "stopped", problem: limit(news.data.message, news.data.code) });
          else built = true;
        });
      } catch (e) {
        if (!stop.signal.aborted) setState({ status: "stopped", problem: failure(e) });
        return;
      }
      if (built) onBuilt();
      else setState((s) => ({ ...s, status: "stopped" }));
    };
    void begin();
    return () => stop.abort();
  }, [running, size]);
  const start = () => setState({ status: "running" });
  if (!running) {
    return (
      <div data-testid="build">
        {state.status === "stopped" && <p>{state.problem ? said(state.problem) : text.buildStopped}</p>}
        <p class="buttons"><button type="button" class="primary" onClick={start}>{state.status === "off" ? text.buildIt : text.buildOn}</button></p>
      </div>
    );
  }
  const says = state.place ? text.queued(state.place) : text.buildGoes(text.percent(state.share ?? 0), state.left ? text.span(state.left) : "");
  return (
    <div class="progress" data-testid="build">
      <progress aria-label={text.buildLabel} max={1} value={state.share ?? 0} />
      <p>{says}</p>
      <button type="button" onClick={() => setState({ status: "stopped" })}>{text.cancel}</button>
    </div>
  );
}
