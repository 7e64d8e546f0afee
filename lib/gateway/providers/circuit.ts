import { HOUR_MS } from "@/lib/contract/durations";
import type { Clock } from "../clock";
import type { CircuitSettings } from "../models/providers/provider-limits";
import type { ProviderRefusal } from "./provider-failure";

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
export class Circuit {
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
