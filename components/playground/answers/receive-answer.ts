import type { StartedStream } from "@/components/queries/streams/start-stream";
import type { Problem } from "@/lib/console/gateway/problem";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import { applyEvent, end, type Message } from "../messages/message";
import type { OpenStream } from "./build-pane-call";
import type { CallActions } from "./call-actions";
import type { PaintQueue } from "./paint-queue";

interface ReceiveOptions {
  readonly open: OpenStream;
  readonly startStream: CallActions["startStream"];
  readonly messageId: string;
  readonly paints: PaintQueue;
  change(next: (message: Message) => Message): void;
  /**
   * Called with the problem that ended the connection.
   * @returns true if the answer will be read again, so that the problem isn't shown.
   */
  readsAgain(problem: Problem): boolean;
  /** False if the answer began before this page connected. */
  readonly isTimed: boolean;
}

export interface AnswerInProgress {
  readonly stream: StartedStream;
  /** Ends the answer with the text received so far. */
  close(state: "finished" | "stopped"): void;
  /** Resolves once the answer has ended; with true if it will be read again. */
  readonly ended: Promise<boolean>;
}

type TimedEvent = readonly [event: ChatEvent, elapsedMs: number];

/** Makes a call and shows its answer as it streams, with at most one render per frame. */
export function receiveAnswer(options: ReceiveOptions): AnswerInProgress {
  const { open, messageId, paints, change, isTimed } = options;
  const beganAt = performance.now();
  const elapsed = () => performance.now() - beganAt;
  const adapt = isTimed ? (message: Message) => message : withoutTimes;
  let waiting: TimedEvent[] = [];
  let isReadAgain = false;
  const paint = () => {
    const events = waiting;
    waiting = [];
    if (events.length === 0) return;
    change((one) => adapt(events.reduce((next, [event, ms]) => applyEvent(next, event, ms), one)));
  };
  const stream = options.startStream<undefined, ChatEvent>(open, undefined, (event) => {
    if (event.type === "problem") paints.flush(messageId);
    if (event.type === "problem" && options.readsAgain(event.problem)) {
      isReadAgain = true;
      return;
    }
    waiting.push([event, elapsed()]);
    paints.add(messageId, paint);
  });
  const close = (state: "finished" | "stopped") => {
    const totalMs = elapsed();
    paints.flush(messageId);
    change((one) => adapt(end(one, state, totalMs)));
  };
  return { stream, close, ended: stream.ended.then(() => isReadAgain) };
}

function withoutTimes(message: Message): Message {
  const { call } = message;
  return !call ? message : { ...message, call: { ...call, firstWordMs: null, totalMs: null } };
}
