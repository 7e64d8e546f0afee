import type { Clock } from "../ports/effects";
import { ExpiringMap } from "../ports/expiring-map";
import { Refusal } from "../ports/refusal";

export interface AttemptRule {
  readonly max: number;
  readonly windowMs: number;
}

/** Ten wrong passwords in a quarter of an hour (NIST SP 800-63B, 3.2.2, allows a hundred in all). */
export const wrongPasswords: AttemptRule = { max: 10, windowMs: 15 * 60_000 };

/** Mails that one address is sent. */
export const resetMails: AttemptRule = { max: 3, windowMs: 60 * 60_000 };

/** Counts attempts by a name, in rolling windows and bounded memory. */
export class AttemptLimiter {
  readonly #attempts: ExpiringMap<readonly number[]>;

  constructor(
    private readonly clock: Clock,
    private readonly rule: AttemptRule,
  ) {
    this.#attempts = new ExpiringMap(clock);
  }

  /** @throws Refusal 429 with a true `retry-after` where the name has used up its attempts. */
  refuseExhausted(name: string): void {
    const recent = this.#recent(name);
    if (recent.length < this.rule.max) return;
    const seconds = Math.ceil(((recent[0] ?? 0) + this.rule.windowMs - this.clock.monotonicMs()) / 1000);
    const message = `There were too many attempts. Try again in ${wait(seconds)}.`;
    throw new Refusal(429, "rate_limit_error", "too_many_attempts", message, {
      headers: { "retry-after": String(seconds) },
    });
  }

  count(name: string): void {
    const recent = [...this.#recent(name), this.clock.monotonicMs()];
    // Kept anew with each attempt: whoever is under attack is not the one that is forgotten.
    this.#attempts.set(name, recent, this.rule.windowMs);
  }

  forget(name: string): void {
    this.#attempts.delete(name);
  }

  #recent(name: string): number[] {
    const since = this.clock.monotonicMs() - this.rule.windowMs;
    return (this.#attempts.get(name) ?? []).filter((atMs) => atMs > since);
  }
}

function wait(seconds: number): string {
  return seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
}
