import type { Clock } from "../clock";
import type { CircuitSettings } from "../models/providers/provider-limits";
import { Circuit, type OpenCircuit, type Trial } from "./circuit";
import type { MisconfiguredStatus } from "./misconfigured";
import { ProviderRefusal } from "./provider-failure";

/**
 * The circuit breakers of one provider, by the model's name there. In memory, separately in each process. A model has
 * one only while its last call failed, so calls to healthy providers read nothing but `isQuiet`.
 */
export class Circuits {
  /** True while no model's last call has failed. */
  isQuiet = true;
  readonly #byModel = new Map<string, Circuit>();

  constructor(
    /** Null if circuit breakers are off. */
    private readonly settings: CircuitSettings | null,
    private readonly clock: Clock,
  ) {}

  /** Returns the open circuit that refuses a call now; null if the call may pass. */
  refusing(model: string): OpenCircuit | null {
    const circuit = this.isQuiet ? undefined : this.#byModel.get(model);
    return circuit?.refuses ? circuit.shown() : null;
  }

  /** Whether the model's last call failed. */
  isFailing(model: string): boolean {
    return this.#byModel.has(model);
  }

  /** Whether it failed within the last half minute. */
  hasJustFailed(model: string): boolean {
    return !this.isQuiet && this.#byModel.get(model)?.hasJustFailed === true;
  }

  /** Makes a call the trial of an open circuit. Returns null if the circuit is closed. */
  begin(model: string): Trial | null {
    return this.isQuiet ? null : (this.#byModel.get(model)?.begin() ?? null);
  }

  /** Records a failed call. Only the provider's own faults count. */
  noteFailure(model: string, failure: unknown, trial: Trial | null): void {
    if (!this.settings || !isProvidersFault(failure)) return;
    let circuit = this.#byModel.get(model);
    if (!circuit) {
      circuit = new Circuit(model, this.settings, this.clock);
      this.#byModel.set(model, circuit);
      this.isQuiet = false;
    }
    circuit.noteFailure(failure, trial);
  }

  /** The stream of a trial has begun. */
  noteStreamBegan(model: string, trial: Trial): void {
    this.#byModel.get(model)?.noteStreamBegan(trial);
  }

  /** Records a call that the provider answered, or refused through the caller's fault. */
  noteSuccess(model: string, trial: Trial | null): void {
    if (!this.isQuiet && this.#byModel.get(model)?.isClosedBy(trial)) this.close(model);
  }

  /** Closes the model's circuit and forgets its failures. */
  close(model: string): void {
    this.#byModel.delete(model);
    this.isQuiet = this.#byModel.size === 0;
  }

  /** Returns the open circuits. */
  list(): OpenCircuit[] {
    return [...this.#byModel.values()].flatMap((circuit) => circuit.shown() ?? []);
  }
}

/**
 * Returns true for no connection, a timeout, a broken reply, or a refusal that callers receive as a status of 500 or
 * more. An odd answer is none: it may be due to what one caller asks for.
 */
function isProvidersFault(failure: unknown): failure is ProviderRefusal {
  if (!(failure instanceof ProviderRefusal) || failure.status < 500) return false;
  return failure.code !== "provider_misconfigured" && failure.why !== "odd_answer";
}

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
