import { HOUR_MS } from "@/lib/contract/durations";
import type { Clock } from "../clock";
import type { CircuitSettings } from "../models/providers/provider-directory";
import type { MisconfiguredStatus } from "./misconfigured";
import { ProviderRefusal } from "./provider-failure";

/** Failures count as consecutive only within this time. */
const WINDOW_MS = 30_000;
/** The pause doubles with each failed trial, up to this, or to the configured pause if that is longer. */
const LONGEST_PAUSE_MS = 120_000;
/** The longest rest that a provider gets because it asked for one. An administrator may close the circuit earlier. */
const LONGEST_REST_MS = HOUR_MS;

/** An open circuit for display. Times are wall time. */
export interface OpenCircuit {
  /** The model's name at the provider. */
  readonly model: string;
  /** The number of consecutive failures before it opened, plus failed trials since. */
  readonly failures: number;
  /** The number of failures that opens it. */
  readonly threshold: number;
  readonly sinceMs: number;
  /** When the next call is let through as a trial. */
  readonly nextTryAtMs: number;
  /** Whether a trial is in progress. */
  readonly isTrying: boolean;
  readonly lastFailure: ProviderRefusal;
}

interface Opening {
  readonly sinceMs: number;
  /** A time on the monotonic clock. */
  nextTryAtMs: number;
  /** The last trial; null if there was none. */
  trial: Trial | null;
}

/** A call that tests whether a provider has recovered. */
export class Trial {
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The call has ended. Another trial may then start, unless this one's result decides first. */
  end(): void {
    this.#isOver = true;
  }
}

/**
 * The breaker of one provider and model, from its first failure until a call succeeds. It opens when as many calls as
 * its threshold have failed in a row within the window. From then on only trials decide: one call at a time, after a
 * pause that is at least as long as the provider has asked for.
 */
class Circuit {
  /** The times of the most recent consecutive failures, at most as many as the threshold. */
  #failedAtMs: number[] = [];
  #failures = 0;
  #lastFailure: ProviderRefusal | null = null;
  #open: Opening | null = null;
  #pauseMs: number;
  /**
   * Set from the start of a trial's stream until a call succeeds. In that time, one failure opens the circuit again.
   */
  #isOnProbation = false;

  constructor(
    private readonly model: string,
    private readonly settings: CircuitSettings,
    private readonly clock: Clock,
  ) {
    this.#pauseMs = settings.pauseMs;
  }

  /** Returns null while it is closed. */
  shown(): OpenCircuit | null {
    if (!this.#open || !this.#lastFailure) return null;
    const { sinceMs, nextTryAtMs, trial } = this.#open;
    const waitMs = Math.max(0, nextTryAtMs - this.clock.monotonicMs());
    return {
      model: this.model,
      failures: this.#failures,
      threshold: this.settings.failures,
      sinceMs,
      nextTryAtMs: this.clock.nowMs() + waitMs,
      isTrying: trial?.isOver === false,
      lastFailure: this.#lastFailure,
    };
  }

  /** Whether its last failure is so recent that it still counts, and no call has succeeded since. */
  get hasJustFailed(): boolean {
    const lastMs = this.#failedAtMs.at(-1);
    return lastMs !== undefined && this.clock.monotonicMs() - lastMs <= WINDOW_MS;
  }

  /** Returns true if a call would be refused now. */
  get refuses(): boolean {
    const open = this.#open;
    return open !== null && (open.trial?.isOver === false || this.clock.monotonicMs() < open.nextTryAtMs);
  }

  /** Makes the next call the trial, where the circuit is open. Call it only where the circuit doesn't refuse. */
  begin(): Trial | null {
    const open = this.#open;
    if (!open) return null;
    open.trial = new Trial();
    return open.trial;
  }

  /** Records a failure that is the provider's fault. While the circuit is open, only its trial counts. */
  noteFailure(failure: ProviderRefusal, trial: Trial | null): void {
    if (this.#open && (trial === null || this.#open.trial !== trial)) return;
    const now = this.clock.monotonicMs();
    this.#failures++;
    this.#lastFailure = failure;
    this.#failedAtMs.push(now);
    if (this.#failedAtMs.length > this.settings.failures) this.#failedAtMs.shift();
    if (this.#open || this.#isOnProbation) this.#reopen(this.#open?.sinceMs ?? this.clock.nowMs());
    else if (this.#isEnough(now)) this.#openFor(this.#pauseMs, this.clock.nowMs());
  }

  /**
   * Records that a trial's stream has begun. Other calls may then pass, and the next failure opens the circuit again.
   */
  noteStreamBegan(trial: Trial): void {
    if (this.#open?.trial !== trial) return;
    this.#open = null;
    this.#isOnProbation = true;
  }

  /** @returns true if the call closes the circuit. While it is open, only its trial does. */
  isClosedBy(trial: Trial | null): boolean {
    return this.#open === null || (trial !== null && this.#open.trial === trial);
  }

  #isEnough(now: number): boolean {
    const [first = now] = this.#failedAtMs;
    return this.#failedAtMs.length === this.settings.failures && now - first <= WINDOW_MS;
  }

  #reopen(sinceMs: number): void {
    const longest = Math.max(LONGEST_PAUSE_MS, this.settings.pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, longest);
    this.#openFor(this.#pauseMs, sinceMs);
  }

  #openFor(pauseMs: number, sinceMs: number): void {
    const restMs = Math.min(this.#lastFailure?.restMs ?? 0, LONGEST_REST_MS);
    this.#isOnProbation = false;
    this.#open = {
      sinceMs,
      nextTryAtMs: this.clock.monotonicMs() + Math.max(pauseMs, restMs),
      trial: null,
    };
  }
}

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
