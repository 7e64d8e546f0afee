import { cancelRun } from "./cancel-run";
import { consoleUnreachable, leaveForSignIn } from "./fetch-read";

type StreamingAction<Input, Event> = (runId: string, input: Input) => Promise<ReadableStream<Event>>;
type ProblemEvent = { type: "problem"; problem: typeof consoleUnreachable };

export interface StartedRun {
  /** Resolves once the run has ended or was stopped. Never rejects: an error is the last event. */
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
  const ended = follow<Event | ProblemEvent>(() => action(runId, input), tell).finally(() => {
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

/** Longer than the time between the end of a page's connections and its own. */
const LEAVING_MS = 1_000;

async function follow<Event extends { type: string }>(
  open: () => Promise<ReadableStream<Event>>,
  tell: (event: Event | ProblemEvent) => void,
): Promise<void> {
  try {
    const reader = (await open()).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      tell(next.value);
      if (isOver(next.value)) leaveForSignIn();
    }
  } catch {
    // A page that is left loses its connections, too. It is gone before this pause ends, so that its answers aren't
    // stored as broken off.
    await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
    tell({ type: "problem", problem: consoleUnreachable });
  }
}

function isOver(event: unknown): boolean {
  return (event as Partial<ProblemEvent>).problem?.code === "unauthenticated";
}

/** Unique within a session. `crypto.randomUUID` is missing on plain http. */
function newRunId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}
