import type { ProviderLimits } from "../models/provider-limits";

/** How often the calls under way are looked at: no deadline is missed by more. */
const SWEEP_MS = 50;

interface Watcher {
  /** The provider has said nothing for as long as a connection may take. */
  onSilence(): void;
  /** The provider's time is over. */
  onExpiry(): void;
}

/** The deadline of one call that was sent. Times are those of `performance.now()`. */
export class CallDeadline {
  /** Set whenever the provider gets on with it. */
  hasAnswered = false;
  isSilent = true;

  constructor(
    readonly watcher: Watcher,
    readonly sentAtMs: number,
    public dueAtMs: number,
  ) {}
}

/** The deadlines of a provider's calls. No call has a timer of its own: one sweep looks at all of them. */
export class CallDeadlines {
  readonly #underWay = new Set<CallDeadline>();
  #timer: ReturnType<typeof setInterval> | null = null;

  /** @param onAnswered told when a provider was last seen to get on with a call. */
  constructor(
    private readonly limits: ProviderLimits,
    private readonly onAnswered: (nowMs: number) => void,
  ) {}

  /** A call is sent. */
  begin(watcher: Watcher): CallDeadline {
    const now = performance.now();
    const { firstByteMs, totalMs } = this.limits;
    const deadline = new CallDeadline(watcher, now, now + Math.min(firstByteMs, totalMs));
    this.#underWay.add(deadline);
    this.#timer ??= setInterval(() => this.#sweep(performance.now()), SWEEP_MS);
    return deadline;
  }

  end(deadline: CallDeadline): void {
    this.#underWay.delete(deadline);
  }

  #sweep(now: number): void {
    if (this.#underWay.size === 0 && this.#timer) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
    for (const deadline of this.#underWay) this.#look(deadline, now);
  }

  #look(deadline: CallDeadline, now: number): void {
    const { watcher, sentAtMs } = deadline;
    const { idleMs, totalMs, connectMs } = this.limits;
    if (deadline.hasAnswered) {
      deadline.hasAnswered = false;
      deadline.isSilent = false;
      deadline.dueAtMs = Math.min(now + idleMs, sentAtMs + totalMs);
      this.onAnswered(now);
    }
    if (now >= deadline.dueAtMs) watcher.onExpiry();
    else if (deadline.isSilent && now - sentAtMs >= connectMs) {
      deadline.isSilent = false;
      watcher.onSilence();
    }
  }
}
