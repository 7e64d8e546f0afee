export interface QuestionThreadOptions<Question> {
  /** Starts the thread: it answers each question with one message, in the order they came. */
  readonly start: () => Worker;
  /** How long the thread may take for one question; then it is ended, and another one started. */
  readonly patienceMs: number;
  /** The memory that goes over with a question. */
  readonly transferOf: (question: Question) => ArrayBuffer[];
  /** Whether a question needs nothing of the thread that the thread before it knew. */
  readonly standsAlone: (question: Question) => boolean;
  /** What whoever asked is told where the thread ended, and where it took too long. */
  readonly lost: () => Error;
  readonly tooCostly: () => Error;
  /** Told why a thread ended. */
  readonly logFault: (reason: string) => void;
}

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** A thread that does what would hold up everybody else, one question at a time. It starts with the first. */
export class QuestionThread<Question, Answer> {
  readonly #waiting: Asked<Question, Answer>[] = [];
  #thread: Worker | null = null;
  #asked: Asked<Question, Answer> | null = null;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #generation = 0;

  constructor(private readonly options: QuestionThreadOptions<Question>) {}

  /** Counts the threads there were: what one kept is lost with it. */
  get generation(): number {
    return this.#generation;
  }

  /** How many questions wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws whatever `lost` or `tooCostly` make. */
  ask(question: Question): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ question, resolve, reject });
    this.#askNext();
    return promise;
  }

  /** Says something that has no answer, where there is a thread. */
  tell(message: unknown): void {
    this.#thread?.postMessage(message);
  }

  close(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(this.options.lost());
    this.#end(this.options.lost());
  }

  #askNext(): void {
    if (this.#asked) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#asked = next;
    this.#thread ??= this.#start();
    this.#patience = setTimeout(() => this.#giveUp(), this.options.patienceMs);
    this.#thread.postMessage(next.question, this.options.transferOf(next.question));
  }

  #start(): Worker {
    const thread = this.options.start();
    const ended = (reason: string) => {
      if (this.#thread !== thread) return;
      this.options.logFault(`The thread ended: ${reason}`);
      this.#end(this.options.lost());
    };
    thread.onerror = ({ message }) => ended(message);
    thread.addEventListener("close", () => ended("it was closed"));
    thread.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (this.#thread !== thread) return;
      clearTimeout(this.#patience);
      this.#asked?.resolve(data);
      this.#asked = null;
      this.#askNext();
    };
    return thread;
  }

  #giveUp(): void {
    this.options.logFault(`It took longer than ${this.options.patienceMs} ms to read one`);
    this.#end(this.options.tooCostly());
  }

  /** What the thread kept is lost; what it has not begun, another one does. */
  #end(error: Error): void {
    clearTimeout(this.#patience);
    this.#thread?.terminate();
    this.#thread = null;
    this.#generation++;
    this.#asked?.reject(error);
    this.#asked = null;
    for (const asked of this.#waiting.splice(0)) {
      if (this.options.standsAlone(asked.question)) this.#waiting.push(asked);
      else asked.reject(this.options.lost());
    }
    this.#askNext();
  }
}

/** What shares its memory with others can't be given away. */
export function ownMemory(piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = piece.byteLength === piece.buffer.byteLength;
  return isWhole ? (piece as Uint8Array<ArrayBuffer>) : new Uint8Array(piece);
}
