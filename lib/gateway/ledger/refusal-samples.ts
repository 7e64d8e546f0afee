import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";

/** How many refusals of one key are stored in full: the first ones of each minute, up to a maximum per day (UTC). */
const SAMPLES_A_MINUTE = 10;
const SAMPLES_A_DAY = 1_000;

interface Samples {
  minute: number;
  inMinute: number;
  inDay: number;
}

/** Decides which refusals are stored in full, so that a key that keeps calling takes little space. */
export class RefusalSamples {
  readonly #samples = new Map<string, Samples>();
  #day = -1;

  /**
   * @param keptSince returns how many refusals of each key were stored since a time, including those of earlier
   * processes.
   */
  constructor(
    private readonly keptSince: (fromMs: number) => Iterable<readonly [string, number]> = () => [],
  ) {}

  take(keyId: string, atMs: number): boolean {
    const [minute, day] = [Math.floor(atMs / MINUTE_MS), Math.floor(atMs / DAY_MS)];
    if (day !== this.#day) this.#begin(day);
    const samples = this.#samples.get(keyId) ?? { minute, inMinute: 0, inDay: 0 };
    if (samples.minute !== minute) Object.assign(samples, { minute, inMinute: 0 });
    if (samples.inMinute >= SAMPLES_A_MINUTE || samples.inDay >= SAMPLES_A_DAY) return false;
    samples.inMinute++;
    samples.inDay++;
    this.#samples.set(keyId, samples);
    return true;
  }

  /** Restarts the day's count. */
  forget(): void {
    this.#day = -1;
  }

  #begin(day: number): void {
    this.#day = day;
    this.#samples.clear();
    for (const [keyId, kept] of this.keptSince(Math.max(0, day * DAY_MS)))
      this.#samples.set(keyId, { minute: -1, inMinute: 0, inDay: kept });
  }
}
