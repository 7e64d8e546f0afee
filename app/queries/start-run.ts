import { cancelRun } from "./cancel-run";
import { followEvents, type ProblemEvent } from "./follow-events";

type StreamingAction<Input, Event> = (runId: string, input: Input) => Promise<ReadableStream<Event>>;

export interface StartedRun {
  /** Resolves once the run has ended or was stopped. Never rejects: a lost connection is the last event. */
  readonly ended: Promise<void>;
  /** Stops reporting events, and ends the run at the console, the gateway and the provider. */
  stop(): void;
}

/** Runs a streaming action. Runs are concurrent and independent. */
export function startRun<Input, Event extends { type: string }>(
  action: StreamingAction<Input, Event | ProblemEvent>,
  input: Input,
  onEvent: (event: Event | ProblemEvent) => void,
): StartedRun {
  const runId = newRunId();
  let isCurrent = true;
  const tell = (event: Event | ProblemEvent) => isCurrent && onEvent(event);
  let resolveStopped = () => {};
  const stopped = new Promise<void>((resolve) => {
    resolveStopped = resolve;
  });
  const ended = followEvents<Event | ProblemEvent>(() => action(runId, input), tell).finally(() => {
    isCurrent = false;
  });
  return {
    ended: Promise.race([ended, stopped]),
    stop() {
      if (!isCurrent) return;
      isCurrent = false;
      resolveStopped();
      // Don't cancel the reader: that wouldn't reach the server, and would break other runs.
      void cancelRun(runId).catch(() => {});
    },
  };
}

/** Unique within a session. `crypto.randomUUID` is missing on plain http. */
function newRunId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}
