import type { Clock } from "../../clock";

/** How long a provider that is at its limit wants to be left alone, by the model's name there. In memory. */
export class Rests {
  readonly #untilMs = new Map<string, number>();

  constructor(private readonly clock: Pick<Clock, "monotonicMs">) {}

  /** A rest ends no earlier than one that was asked for before. */
  note(model: string, ms: number): void {
    const untilMs = this.clock.monotonicMs() + ms;
    if (untilMs > (this.#untilMs.get(model) ?? 0)) this.#untilMs.set(model, untilMs);
  }

  /** How long the rest still lasts, in milliseconds; 0 for none. */
  leftMs(model: string): number {
    const untilMs = this.#untilMs.get(model);
    if (untilMs === undefined) return 0;
    const leftMs = untilMs - this.clock.monotonicMs();
    if (leftMs > 0) return leftMs;
    this.#untilMs.delete(model);
    return 0;
  }
}
