import { createRandomId } from "@/components/queries/actions/create-random-id";
import { asPagePerson } from "@/components/queries/reads/as-page-person";
import { describeConsoleFailure } from "@/components/queries/reads/describe-console-failure";
import type { Problem } from "@/lib/console/gateway/problem";
import type { ProblemEvent } from "@/lib/console/streaming/define-streaming-action";
import { cancelStream } from "./cancel-stream";
import { followEvents } from "./follow-events";

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
