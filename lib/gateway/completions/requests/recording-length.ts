import { QuestionThread } from "../../http/question-thread";

/** Longer than the largest recording takes. */
const PATIENCE_MS = 10_000;

/** Measures recordings on a thread, which reads files of any format that somebody may send. */
export class RecordingLength {
  readonly #thread: QuestionThread<string, number | null>;

  constructor(logFault: (reason: string) => void) {
    this.#thread = new QuestionThread({
      start: () => new Worker(new URL("./recording-thread.ts", import.meta.url)),
      patienceMs: PATIENCE_MS,
      transferOf: () => [],
      standsAlone: () => true,
      lost: () => new Error("The thread that measures recordings ended"),
      tooCostly: () => new Error(`A recording took longer than ${PATIENCE_MS} ms to measure`),
      logFault,
    });
  }

  /** @returns the duration in seconds; null for a file in which none can be found. */
  measure(path: string): Promise<number | null> {
    return this.#thread.ask(path).catch(() => null);
  }

  close(): void {
    this.#thread.close();
  }
}
