import type { StartedStream } from "@/app/streams/start-stream";
import { isRunning, type Message, runningTask } from "../messages/message";
import type { OpenStream } from "./build-pane-call";
import type { CallActions } from "./call-actions";
import { cancelStoredCall, cancelTask, stopCallOfPage } from "./cancel-running";
import { PaintQueue } from "./paint-queue";
import { type AnswerInProgress, receiveAnswer } from "./receive-answer";

/** Delay before a stored answer is read again after a lost connection, so that a gateway that restarts isn't flooded. */
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
interface Run {
  readonly paneId: string;
  readonly messageId: string;
  /** Aborted when the answer is stopped or left. */
  readonly left: AbortController;
  /** The present connection, or the last one. */
  answer: AnswerInProgress | null;
  /** Resolves with true if the call was stopped; null if nobody has asked for it. */
  stopping: Promise<boolean> | null;
}

/** Reads the answers of the panes as they stream, one per pane, and stops them. */
export class RunningAnswers {
  readonly #runs = new Map<string, Run>();

  constructor(
    private readonly messages: AnswerMessages,
    private readonly calls: CallActions,
    private readonly pace = { pause: pauseFor, paints: new PaintQueue() },
  ) {}

  has(paneId: string): boolean {
    return this.#runs.has(paneId);
  }

  /**
   * Reads an answer, and reads it again after each lost connection while the gateway continues it. Without `open`, it began before
   * this page was here. Resolves once it has ended, was stopped or left.
   */
  async read(paneId: string, messageId: string, open?: OpenStream): Promise<void> {
    const run: Run = { paneId, messageId, left: new AbortController(), answer: null, stopping: null };
    this.#runs.set(paneId, run);
    await this.#readOn(run, open);
    if (this.#runs.get(paneId) === run) this.#runs.delete(paneId);
  }

  /** Stops the answer of one pane or of all. Keeps the text received so far. What the gateway continues is heard until it has ended. */
  stop(paneId?: string): void {
    for (const id of paneId === undefined ? [...this.#runs.keys()] : [paneId]) {
      const run = this.#runs.get(id);
      if (run) this.#stop(run);
    }
  }

  /** Closes the connections of calls that continue without this page. */
  leave(): void {
    for (const run of this.#runs.values()) this.#leave(run);
  }

  #stop(run: Run): void {
    const message = this.#find(run);
    const task = message && runningTask(message);
    if (task) return void cancelTask(task, this.calls.cancelOwnTask);
    const keptAs = message && isRunning(message.run) ? message.run?.keptAs : undefined;
    if (!keptAs) return this.#close(run, stopCallOfPage);
    run.stopping ??= cancelStoredCall(keptAs, this.calls.cancelCall, this.#waitForCall(run)).then(
      (isStopped) => {
        // Nobody reads it any more.
        if (isStopped || !this.#find(run)) this.#close(run);
        run.stopping = null;
        return isStopped;
      },
    );
  }

  #waitForCall(run: Run): () => Promise<boolean> {
    let attempts = 1;
    return async () => {
      if (attempts++ >= CANCEL_ATTEMPTS || this.#find(run)?.run?.requestId) return false;
      await this.pace.pause(CANCEL_AGAIN_MS, run.left.signal);
      return true;
    };
  }

  #close(run: Run, disconnect?: (stream: StartedStream) => Promise<unknown>): void {
    this.#leave(run, disconnect);
    run.answer?.close("stopped");
  }

  /** A call that continues without its connection doesn't need it to be closed. */
  #leave(run: Run, disconnect = (stream: StartedStream): Promise<unknown> => stream.stop()): void {
    if (this.#runs.get(run.paneId) === run) this.#runs.delete(run.paneId);
    run.left.abort();
    if (run.answer) void disconnect(run.answer.run);
  }

  async #readOn(run: Run, first: OpenStream | undefined): Promise<void> {
    const { signal } = run.left;
    let isDropped = first === undefined || (await this.#listen(run, first, true));
    for (let isAgain = false; isDropped; isAgain = true) {
      await run.stopping;
      if (isAgain) await this.pace.pause(LISTEN_AGAIN_MS, signal);
      const open = this.#findStream(run);
      if (signal.aborted || !open) return;
      isDropped = await this.#listen(run, open, false);
    }
  }

  /** @returns true if the connection was lost while the gateway continues the call. */
  async #listen(run: Run, open: OpenStream, isTimed: boolean): Promise<boolean> {
    const answer = receiveAnswer({
      open,
      startStream: this.calls.startStream,
      messageId: run.messageId,
      isTimed,
      paints: this.pace.paints,
      change: (next) => this.messages.change(run.paneId, run.messageId, next),
      // While it is being stopped, it breaks off because of that.
      readsAgain: ({ code }) =>
        run.stopping !== null || (code === "unreachable" && this.#findStream(run) !== null),
    });
    run.answer = answer;
    const isDropped = await answer.ended;
    if (run.left.signal.aborted) return false;
    if (!isDropped) answer.close("finished");
    return isDropped;
  }

  #find({ paneId, messageId }: Run): Message | undefined {
    return this.messages.find(paneId, messageId);
  }

  /** How to read an answer again that the gateway keeps; null if it keeps none, or if it has ended. */
  #findStream(run: Run): OpenStream | null {
    const message = this.#find(run);
    if (!message || !isRunning(message.run)) return null;
    const { keptAs } = message.run ?? {};
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
