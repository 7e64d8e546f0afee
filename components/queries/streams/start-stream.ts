import { createRandomId } from "@/components/queries/actions/create-random-id";
import { asPagePerson, describeConsoleFailure } from "@/components/queries/reads/fetch-read";
import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import type { Problem } from "@/lib/console/gateway/problem";
import type { ProblemEvent } from "@/lib/console/streaming/define-streaming-action";
import { cancelStream } from "./cancel-stream";

type StreamingAction<Input, Event> = (streamId: string, input: Input) => Promise<ReadableStream<Event>>;

export interface StartedStream {
  /** Resolves once the stream has ended or was stopped. Never rejects: a lost connection is the last event. */
  readonly ended: Promise<void>;
  /**
   * Stops reporting events, and closes the console's connection. The gateway then stops a call that it doesn't keep.
   * Never rejects.
   * @returns why the connection wasn't closed, so that the call goes on; null if it was.
   */
  stop(): Promise<Problem | null>;
}

/** Starts a streaming action. Streams are concurrent and independent. */
export function startStream<Input, Event extends { type: string }>(
  action: StreamingAction<Input, Event | ProblemEvent>,
  input: Input,
  onEvent: (event: Event | ProblemEvent) => void,
): StartedStream {
  const streamId = createRandomId(4);
  let isCurrent = true;
  const tell = (event: Event | ProblemEvent) => isCurrent && onEvent(event);
  let resolveStopped = () => {};
  const stopped = new Promise<void>((resolve) => {
    resolveStopped = resolve;
  });
  const ended = followEvents<Event | ProblemEvent>(() => action(streamId, input), tell).finally(() => {
    isCurrent = false;
  });
  return {
    ended: Promise.race([ended, stopped]),
    async stop() {
      if (!isCurrent) return null;
      isCurrent = false;
      resolveStopped();
      // Don't cancel the reader: that wouldn't reach the server, and would break other streams.
      return asPagePerson(() => cancelStream(streamId)).catch((error: unknown) =>
        describeConsoleFailure(error, "none"),
      );
    },
  };
}

/** A page that is being left is gone within this time after its connections close. */
const LEAVING_MS = 1_000;

/**
 * Passes on the events of a stream until it ends; a connection that can't be made or is lost is the last event. Never
 * rejects.
 */
export async function followEvents<Event extends { type: string }>(
  open: () => Promise<ReadableStream<Event>>,
  onEvent: (event: Event | ProblemEvent) => void,
): Promise<void> {
  const tell = (event: Event | ProblemEvent) => {
    try {
      onEvent(event);
    } catch (error) {
      // A fault of the screen, not of the connection: the stream goes on.
      reportError(error);
    }
  };
  try {
    const reader = (await asPagePerson(open)).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      tell(next.value);
      if (isOver(next.value)) leaveForSignIn();
    }
  } catch (error) {
    // A page that is left loses its connections, too. It is gone before this pause ends, and so it doesn't store its
    // answers as broken off.
    await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
    tell({ type: "problem", problem: describeConsoleFailure(error, "call") });
  }
}

function isOver(event: unknown): boolean {
  return (event as Partial<ProblemEvent>).problem?.code === "unauthenticated";
}
