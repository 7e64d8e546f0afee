import type { Clock } from "../clock";
import { ProviderRefusal } from "./provider-failure";

/** The last failure of a provider for one model. */
export interface LastFailure {
  /** The model's name at the provider. */
  readonly model: string;
  readonly failure: ProviderRefusal;
  readonly atMs: number;
}

/** Each provider's last failure, by model. Kept in memory. */
export class ProviderFailures {
  readonly #byModel = new Map<string, LastFailure>();

  constructor(private readonly clock: Pick<Clock, "nowMs">) {}

  /** Records failures of the provider only, not clients that left or invalid requests. */
  note(model: string, failure: unknown): void {
    if (!(failure instanceof ProviderRefusal) || failure.status === 400) return;
    this.#byModel.set(model, { model, failure, atMs: this.clock.nowMs() });
  }

  /** The most recent failure; null where there is none. */
  last(): LastFailure | null {
    return [...this.#byModel.values()].reduce<LastFailure | null>(
      (latest, one) => (latest === null || one.atMs >= latest.atMs ? one : latest),
      null,
    );
  }

  ofModel(model: string): LastFailure | null {
    return this.#byModel.get(model) ?? null;
  }
}
