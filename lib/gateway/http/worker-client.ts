import { setPriority } from "node:os";

interface WorkerOptions<Question> {
  /** Starts the thread. It answers each question with one message, in the order of the questions. */
  readonly start: () => Worker;
  /** The time limit for one question; after it the thread is ended and replaced. */
  readonly timeoutMs: number;
  /** The buffers to transfer with a question. */
  readonly listTransfers: (question: Question) => ArrayBuffer[];
  /** Whether a replacement thread can answer the question without the state of the previous one. */
  readonly standsAlone: (question: Question) => boolean;
  /** The error for the caller if the thread ended, and if it took too long. */
  readonly createLossError: () => Error;
  readonly createCostError: () => Error;
  /** Called with the reason why a thread ended. */
  readonly logFault: (reason: string) => void;
}

interface PendingQuestion<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs work that would block the event loop on a thread, one question at a time. The thread starts with the first
 * question.
 */
export class WorkerClient<Question, Answer> {
  readonly #waitingQuestions: PendingQuestion<Question, Answer>[] = [];
  #thread: Worker | null = null;
  #currentQuestion: PendingQuestion<Question, Answer> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #generation = 0;

  constructor(private readonly options: WorkerOptions<Question>) {}

  /** Counts the threads: the state of an ended one is lost. */
  get generation(): number {
    return this.#generation;
  }

  /** How many questions are queued. */
  get waiting(): number {
    return this.#waitingQuestions.length;
  }

  /** Rejects with `createLossError` or `createCostError`. */
  ask(question: Question): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waitingQuestions.push({ question, resolve, reject });
    this.#askNext();
    return promise;
  }

  /** Sends a message that has no answer, if a thread is running. */
  tell(message: unknown): void {
    this.#thread?.postMessage(message);
  }

  close(): void {
    for (const { reject } of this.#waitingQuestions.splice(0)) reject(this.options.createLossError());
    this.#end(this.options.createLossError());
  }

  #askNext(): void {
    if (this.#currentQuestion) return;
    const next = this.#waitingQuestions.shift();
    if (!next) return;
    this.#currentQuestion = next;
    this.#thread ??= this.#start();
    this.#timer = setTimeout(() => this.#giveUp(), this.options.timeoutMs);
    this.#thread.postMessage(next.question, this.options.listTransfers(next.question));
  }

  #start(): Worker {
    const thread = this.options.start();
    const onThreadEnd = (reason: string) => {
      if (this.#thread !== thread) return;
      this.options.logFault(`The thread ended: ${reason}`);
      this.#end(this.options.createLossError());
    };
    thread.onerror = ({ message }) => onThreadEnd(message);
    thread.addEventListener("close", () => onThreadEnd("it was closed"));
    thread.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (this.#thread !== thread) return;
      clearTimeout(this.#timer);
      this.#currentQuestion?.resolve(data);
      this.#currentQuestion = null;
      this.#askNext();
    };
    return thread;
  }

  #giveUp(): void {
    this.options.logFault(`It took longer than ${this.options.timeoutMs} ms to read one`);
    this.#end(this.options.createCostError());
  }

  /** The state of the thread is lost; a new one takes the queued questions. */
  #end(error: Error): void {
    clearTimeout(this.#timer);
    this.#thread?.terminate();
    this.#thread = null;
    this.#generation++;
    this.#currentQuestion?.reject(error);
    this.#currentQuestion = null;
    for (const pending of this.#waitingQuestions.splice(0)) {
      if (this.options.standsAlone(pending.question)) this.#waitingQuestions.push(pending);
      else pending.reject(this.options.createLossError());
    }
    this.#askNext();
  }
}

/** Copies bytes that share their memory, since only whole buffers can be transferred. */
export function copyToOwnMemory(piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = piece.byteLength === piece.buffer.byteLength;
  return isWhole ? (piece as Uint8Array<ArrayBuffer>) : new Uint8Array(piece);
}

/** The nice value of background threads: on a shared processor the event loop gets three quarters of the time. */
const NICE = 5;

/** Lowers the priority of the calling thread below the event loop's. Only Linux supports priorities per thread. */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(NICE);
  } catch {
    // A sandbox may forbid it; the thread then keeps the usual priority.
  }
}
