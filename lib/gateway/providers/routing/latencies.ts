import { MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../../clock";

const WINDOW_MS = 15 * MINUTE_MS;
const MAX_SAMPLES = 64;

interface Sample {
  readonly ms: number;
  readonly atMs: number;
}

/** How long a provider's models took of late until the first byte of an answer. In memory, in each process. */
export class Latencies {
  readonly #samples = new Map<string, Sample[]>();

  constructor(private readonly clock: Pick<Clock, "monotonicMs">) {}

  /** @param isStream whether the answer was streamed: a whole one comes once it is written. */
  note(model: string, isStream: boolean, ms: number): void {
    const name = nameKind(model, isStream);
    const samples = this.#samples.get(name) ?? [];
    if (samples.length === 0) this.#samples.set(name, samples);
    samples.push({ ms, atMs: this.clock.monotonicMs() });
    if (samples.length > MAX_SAMPLES) samples.shift();
  }

  /** The median of the last 15 minutes, in milliseconds; null where nothing was answered in them. */
  medianMs(model: string, isStream: boolean): number | null {
    const sinceMs = this.clock.monotonicMs() - WINDOW_MS;
    const recent = this.#samples.get(nameKind(model, isStream))?.filter(({ atMs }) => atMs >= sinceMs) ?? [];
    const sorted = recent.map(({ ms }) => ms).toSorted((one, other) => one - other);
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
  }
}

const nameKind = (model: string, isStream: boolean) => `${isStream ? "stream" : "whole"} ${model}`;
