import type { StartedStream } from "@/components/queries/streams/start-stream";
import { isRunning, type Message, runningTask } from "../messages/message";
import type { OpenStream } from "./build-pane-call";
import type { CallActions } from "./call-actions";
import { cancelRunningTask, cancelStoredCall, stopCallOfPage } from "./cancel-running";
import { PaintQueue } from "./paint-queue";
import { type AnswerInProgress, receiveAnswer } from "./receive-answer";

/**
 * Delay before a stored answer is read again after a lost connection, so that a gateway that restarts isn't flooded.
 */
const LISTEN_AGAIN_MS = 2_000;
/** How often a call that isn't at the gateway yet is asked to stop, and the delay between. */
const CANCEL_ATTEMPTS = 5;
const CANCEL_AGAIN_MS = 500;

/** The messages that answers are written into. */
interface AnswerMessages {
  find(paneId: string, messageId: string): Message | undefined;
  change(paneId: string, messageId: string, next: (message: Message) => Message): void;
}

/** The answer of a pane from its call until its end, also while its connection is lost. */
interface PaneAnswer {
  readonly paneId: string;
  readonly messageId: string;
  /** Aborted when the answer is stopped or left. */
  readonly left: AbortController;
  /** The present connection, or the last one. */
  connection: AnswerInProgress | null;
  /** Resolves with true if the call was stopped; null if nobody has asked for it. */
  stopping: Promise<boolean> | null;
}

/** Reads the answers of the panes as they stream, one per pane, and stops them. */
export class RunningAnswers {
  readonly #answers = new Map<string, PaneAnswer>();

  constructor(
    private readonly messages: AnswerMessages,
    private readonly calls: CallActions,
    private readonly pace = { pause: pauseFor, paints: new PaintQueue() },
  ) {}

  has(paneId: string): boolean {
    return this.#answers.has(paneId);
  }

  /**
   * Reads an answer, and reads it again after each lost connection while the gateway continues it. Without `open`, it
   * began before this page was here. Resolves once it has ended, was stopped or left.
   */
  async read(paneId: string, messageId: string, open?: OpenStream): Promise<void> {
    const answer: PaneAnswer = {
      paneId,
      messageId,
      left: new AbortController(),
      connection: null,
      stopping: null,
    };
    this.#answers.set(paneId, answer);
    await this.#readOn(answer, open);
    if (this.#answers.get(paneId) === answer) this.#answers.delete(paneId);
  }

  /**
   * Stops the answer of one pane or of all. Keeps the text received so far. What the gateway continues is heard until
   * it has ended.
   */
  stop(paneId?: string): void {
    for (const id of paneId === undefined ? [...this.#answers.keys()] : [paneId]) {
      const answer = this.#answers.get(id);
      if (answer) this.#stop(answer);
    }
  }

  /** Closes the connections of calls that continue without this page. */
  leave(): void {
    for (const answer of this.#answers.values()) this.#leave(answer);
  }

  #stop(answer: PaneAnswer): void {
    const message = this.#find(answer);
    const task = message && runningTask(message);
    if (task) return void cancelRunningTask(task, this.calls.cancelOwnTask);
    const keptAs = message && isRunning(message.call) ? message.call?.keptAs : undefined;
    if (!keptAs) return this.#close(answer, stopCallOfPage);
    answer.stopping ??= cancelStoredCall(keptAs, this.calls.cancelCall, this.#waitForCall(answer)).then(
      (isStopped) => {
        // It has ended, or its pane is gone.
        if (isStopped || !this.#find(answer)) this.#close(answer);
        answer.stopping = null;
        return isStopped;
      },
    );
  }

  #waitForCall(answer: PaneAnswer): () => Promise<boolean> {
    let attempts = 1;
    return async () => {
      if (attempts++ >= CANCEL_ATTEMPTS || this.#find(answer)?.call?.requestId) return false;
      await this.pace.pause(CANCEL_AGAIN_MS, answer.left.signal);
      return true;
    };
  }

  #close(answer: PaneAnswer, disconnect?: (stream: StartedStream) => Promise<unknown>): void {
    this.#leave(answer, disconnect);
    answer.connection?.close("stopped");
  }

  /** A call that continues without its connection doesn't need it to be closed. */
  #leave(answer: PaneAnswer, disconnect = (stream: StartedStream): Promise<unknown> => stream.stop()): void {
    if (this.#answers.get(answer.paneId) === answer) this.#answers.delete(answer.paneId);
    answer.left.abort();
    if (answer.connection) void disconnect(answer.connection.stream);
  }

  async #readOn(answer: PaneAnswer, first: OpenStream | undefined): Promise<void> {
    const { signal } = answer.left;
    let isDropped = first === undefined || (await this.#listen(answer, first, { isTimed: true }));
    for (let isAgain = false; isDropped; isAgain = true) {
      await answer.stopping;
      if (isAgain) await this.pace.pause(LISTEN_AGAIN_MS, signal);
      const open = this.#findStream(answer);
      if (signal.aborted || !open) return;
      isDropped = await this.#listen(answer, open, { isTimed: false });
    }
  }

  /** @returns true if the connection was lost while the gateway continues the call. */
  async #listen(answer: PaneAnswer, open: OpenStream, { isTimed }: { isTimed: boolean }): Promise<boolean> {
    const connection = receiveAnswer({
      open,
      startStream: this.calls.startStream,
      messageId: answer.messageId,
      isTimed,
      paints: this.pace.paints,
      change: (next) => this.messages.change(answer.paneId, answer.messageId, next),
      // While it is being stopped, it breaks off because of that.
      readsAgain: ({ code }) =>
        answer.stopping !== null || (code === "unreachable" && this.#findStream(answer) !== null),
    });
    answer.connection = connection;
    const isDropped = await connection.ended;
    if (answer.left.signal.aborted) return false;
    if (!isDropped) connection.close("finished");
    return isDropped;
  }

  #find({ paneId, messageId }: PaneAnswer): Message | undefined {
    return this.messages.find(paneId, messageId);
  }

  /** How to read an answer again that the gateway keeps; null if it keeps none, or if it has ended. */
  #findStream(answer: PaneAnswer): OpenStream | null {
    const message = this.#find(answer);
    if (!message || !isRunning(message.call)) return null;
    const { keptAs } = message.call ?? {};
    const task = runningTask(message);
    if (keptAs) return (streamId) => this.calls.followCall(streamId, keptAs);
    return task && ((streamId) => this.calls.followOwnTask(streamId, { taskId: task.id }));
  }
}

/** Resolves after a time, or at once when the signal aborts. */
function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
