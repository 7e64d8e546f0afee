import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";

/** Refusals of one key that are kept whole: the first of each minute, up to so many in a day (UTC). */
const SAMPLES_A_MINUTE = 10;
const SAMPLES_A_DAY = 1_000;

interface Samples {
  minute: number;
  inMinute: number;
  inDay: number;
}

/** Decides which refusals are kept whole, so that a key that never stops calling takes little room. */
export class RefusalSamples {
  readonly #samples = new Map<string, Samples>();
  #day = -1;

  /** @param keptSince how many are kept of each key since a moment: what an earlier process has kept of the day counts. */
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

  /** Starts counting the day again. */
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
