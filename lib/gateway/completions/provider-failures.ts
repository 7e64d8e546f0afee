import type { Clock } from "../effects";
import { ProviderRefusal } from "./provider-failure";

/** The last call of a model that a provider did not answer as it should have. */
export interface LastFailure {
  /** The model's name at the provider. */
  readonly model: string;
  readonly failure: ProviderRefusal;
  readonly atMs: number;
}

/** How a provider failed last, by model. Kept while the gateway runs. */
export class ProviderFailures {
  readonly #byModel = new Map<string, LastFailure>();

  constructor(private readonly clock: Pick<Clock, "nowMs">) {}

  /** Only what is the provider's: a client that left, or asked for what can't be, is no failure of it. */
  note(model: string, failure: unknown): void {
    if (!(failure instanceof ProviderRefusal) || failure.status === 400) return;
    this.#byModel.set(model, { model, failure, atMs: this.clock.nowMs() });
  }

  /** The latest; null where it has not failed. */
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
