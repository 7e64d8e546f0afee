import type { Clock } from "../effects";
import type { MisconfiguredStatus } from "./provider-failure";

/** A provider's last answer to calls of one of its models, by which its key, its address or that name is wrong. */
export interface Misconfiguration {
  /** The model's name at the provider. */
  readonly model: string;
  readonly status: MisconfiguredStatus;
  readonly atMs: number;
}

/** How a provider is known to be set up wrongly, until it answers a call of the same model. Kept while the gateway runs. */
export class Misconfigurations {
  readonly #byModel = new Map<string, Misconfiguration>();

  constructor(private readonly clock: Pick<Clock, "nowMs">) {}

  note(model: string, status: MisconfiguredStatus): void {
    this.#byModel.set(model, { model, status, atMs: this.clock.nowMs() });
  }

  /** The provider has answered a call of the model. */
  forget(model: string): void {
    if (this.#byModel.size > 0) this.#byModel.delete(model);
  }

  list(): readonly Misconfiguration[] {
    return [...this.#byModel.values()];
  }
}
