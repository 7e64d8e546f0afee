import { MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../../clock";
import { WorkerClient } from "../../http/worker-client";

/** Measuring the largest recording takes less. */
const TIMEOUT_MS = 2_000;
/** How long the recordings of a key are not measured after one took too long. */
const PENALTY_MS = MINUTE_MS;
const MAX_PENALTIES = 1_000;

class TooCostly extends Error {
  override readonly name = "TooCostly";
}

/** The duration and format of a recording, according to its file. */
export interface Recording {
  readonly seconds: number;
  /** Whether it is a WAV of uncompressed samples, by its content. */
  readonly isPcmWave: boolean;
}

/**
 * Measures recordings on a separate thread, since callers can send files of any format: 25 MiB of empty boxes take half
 * a minute, and as many tags gigabytes. The thread is ended then, and the key's next recordings are not measured, so
 * that one key doesn't delay the recordings of others.
 */
export class RecordingLength {
  readonly #thread: WorkerClient<string, Recording | null>;
  readonly #slow = new Map<string, number>();

  constructor(
    private readonly clock: Pick<Clock, "monotonicMs">,
    logFault: (reason: string) => void,
  ) {
    this.#thread = new WorkerClient({
      start: () => new Worker(new URL("./recording-thread.ts", import.meta.url)),
      timeoutMs: TIMEOUT_MS,
      listTransfers: () => [],
      standsAlone: () => true,
      createLossError: () => new Error("The thread that measures recordings ended"),
      createCostError: () => new TooCostly(`A recording took longer than ${TIMEOUT_MS} ms to measure`),
      logFault,
    });
  }

  /** @returns null for a file in which no duration can be found, or not in time. */
  async measure(path: string, keyId: string): Promise<Recording | null> {
    if ((this.#slow.get(keyId) ?? 0) > this.clock.monotonicMs()) return null;
    try {
      return await this.#thread.ask(path);
    } catch (error) {
      if (error instanceof TooCostly) this.#penalize(keyId);
      return null;
    }
  }

  #penalize(keyId: string): void {
    const [oldest] = this.#slow.keys();
    if (this.#slow.size >= MAX_PENALTIES && oldest !== undefined) this.#slow.delete(oldest);
    this.#slow.delete(keyId);
    this.#slow.set(keyId, this.clock.monotonicMs() + PENALTY_MS);
  }

  close(): void {
    this.#thread.close();
  }
}
