import type { Clock } from "../clock";
import type { MisconfiguredStatus } from "./misconfigured";

/** A provider's last reply for one model, where it shows that the key, the address or the model's name is wrong. */
interface Misconfiguration {
  /** The model's name at the provider. */
  readonly model: string;
  readonly status: MisconfiguredStatus;
  readonly atMs: number;
}

/** Known misconfigurations of a provider, by model, until a call of that model succeeds. Kept in memory. */
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
