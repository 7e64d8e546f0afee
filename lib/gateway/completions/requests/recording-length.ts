import { QuestionThread } from "../../http/question-thread";

/** Longer than measuring the largest recording takes. */
const PATIENCE_MS = 10_000;

/** The duration and format of a recording, according to its file. */
export interface Recording {
  readonly seconds: number;
  /** Whether it is a WAV of uncompressed samples, by its content. */
  readonly isPcmWave: boolean;
}

/** Measures recordings on a separate thread, since callers can send files of any format. */
export class RecordingLength {
  readonly #thread: QuestionThread<string, Recording | null>;

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

  /** @returns null for a file in which no duration can be found. */
  measure(path: string): Promise<Recording | null> {
    return this.#thread.ask(path).catch(() => null);
  }

  close(): void {
    this.#thread.close();
  }
}
