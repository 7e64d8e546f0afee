import type { StartedStream } from "@/components/queries/streams/start-stream";
import { whenIdle } from "@/components/ui/browser/when-idle";
import type { Problem } from "@/lib/console/gateway/problem";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import type { ProblemEvent } from "@/lib/console/streaming/define-streaming-action";
import type { StoredAnswer } from "@/lib/console/streaming/stream-chat";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { callBody } from "../calls/call-body";
import { buildMediaCall, toRecordingFile } from "../media/media-call";
import { findOtherFamily } from "../media/media-fields";
import { applyEvent, end, isRunning, type Message, runningTask } from "../messages/message";
import type { Pane } from "../panes/pane";
import { findSettings, type Workbench } from "../workbench";
import type { CallActions } from "./call-actions";
import { cancelRunningTask, cancelStoredCall, stopCallOfPage } from "./cancel-running";

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

interface AnswerInProgress {
  readonly stream: StartedStream;
  /** Ends the answer with the text received so far. */
  close(state: "finished" | "stopped"): void;
  /** Resolves once the answer has ended; with true if it will be read again. */
  readonly ended: Promise<boolean>;
}

type TimedEvent = readonly [event: ChatEvent, elapsedMs: number];

/** Makes a call and shows its answer as it streams, with at most one render per frame. */
function receiveAnswer(options: ReceiveOptions): AnswerInProgress {
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

type Paint = () => void;

/** Calls `work` in a frame, once nothing else waits for the page or after `atMostMs`, which it then says. */
type AwaitTurn = (work: (isLate: boolean) => void, atMostMs: number) => void;

const [LEAST_MS, MOST_MS] = [100, 800];

/**
 * Renders streamed text for one pane per frame, in turn, so that no frame renders more than one pane. Hidden pages have
 * no frames; there, text is rendered by `flush`. Text makes way for what React renders in steps, such as the next
 * screen: each text drawn meanwhile would make React begin that anew.
 */
export class PaintQueue {
  readonly #waiting = new Map<string, Paint>();
  #isAwaitingTurn = false;
  #atMostMs = LEAST_MS;

  constructor(private readonly awaitTurn: AwaitTurn = awaitIdleFrame) {}

  /** Schedules one render. Further calls with the same id before it are merged. */
  add(id: string, paint: Paint): void {
    if (!this.#waiting.has(id)) this.#waiting.set(id, paint);
    this.#await();
  }

  /** Renders pending text of this id at once. */
  flush(id: string): void {
    const paint = this.#waiting.get(id);
    this.#waiting.delete(id);
    paint?.();
  }

  #await(): void {
    if (this.#isAwaitingTurn) return;
    this.#isAwaitingTurn = true;
    this.awaitTurn((isLate) => this.#drawOne(isLate), this.#atMostMs);
  }

  #drawOne(isLate: boolean): void {
    this.#isAwaitingTurn = false;
    // What waits may need longer than this on a slow machine.
    this.#atMostMs = isLate ? Math.min(2 * this.#atMostMs, MOST_MS) : LEAST_MS;
    const [first] = this.#waiting.keys();
    if (first === undefined) return;
    this.flush(first);
    if (this.#waiting.size > 0) this.#await();
  }
}

function awaitIdleFrame(work: (isLate: boolean) => void, atMostMs: number): void {
  requestAnimationFrame(() => whenIdle(work, atMostMs));
}

/** Opens the stream of an answer under an id of this page's choice. */
type OpenStream = (streamId: string) => Promise<ReadableStream<ChatEvent | ProblemEvent>>;

interface PaneCall {
  /** The request's body, as a program would send it. */
  readonly body: object;
  /** Set if the gateway stores the answer. */
  readonly keptAs?: StoredAnswer | undefined;
  readonly open: OpenStream;
}

interface PaneCallOptions {
  readonly model: OrganizationModel | undefined;
  readonly projectId: string | null;
  readonly calls: Pick<CallActions, "sendCall" | "sendMedia">;
  /** The name under which the gateway stores the answer; undefined if the call ends with its page. */
  readonly keepAs: string | undefined;
}

/** Returns the call that answers a pane's conversation. The settings must be valid. */
export function buildPaneCall(
  workbench: Workbench,
  pane: Pane,
  { model, projectId, calls, keepAs }: PaneCallOptions,
): PaneCall {
  const runAs = workbench.runAs?.id;
  const shared = { projectId, ...(runAs && { runAs }) };
  const media = buildMediaCall(model, pane.options, pane.messages);
  if (media) {
    const { family, body, recording, translates } = media;
    const file = toRecordingFile(recording);
    const input = {
      ...shared,
      family,
      body,
      ...(file && { recording: file }),
      ...(translates && { translates }),
    };
    return { body, open: (streamId) => calls.sendMedia(streamId, input) };
  }
  const settings = findSettings(workbench, pane);
  const { endpoint } = settings;
  const body = callBody(pane.model, settings, pane.messages);
  const input = { ...shared, endpoint, body: { ...body }, ...(keepAs !== undefined && { keepAs }) };
  return {
    body,
    keptAs: keepAs === undefined ? undefined : { name: keepAs, endpoint },
    open: (streamId) => calls.sendCall(streamId, input),
  };
}

/** Returns the messages that a call sends: to a model that isn't a chat model, the last one of the person. */
export function listSent(
  model: OrganizationModel | undefined,
  messages: readonly Message[],
): readonly Message[] {
  return findOtherFamily(model) === null
    ? messages
    : messages.filter(({ role }) => role === "user").slice(-1);
}
