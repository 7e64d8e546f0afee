import { type ListItem, UnorderedList } from "../../lists/unordered-list";
import type { ProviderLimits } from "../../models/providers/provider-limits";

/** How often deadlines are checked, and so the maximum delay. */
const SWEEP_MS = 50;

interface Watcher {
  /** Called once, if the call is still in progress at the first check. */
  onLongCall(): void;
  /** Called when the provider has sent nothing for as long as connecting may take. */
  onSilence(): void;
  /** Called when the deadline has passed. */
  onExpiry(): void;
}

/** The deadline of one call that was sent. Its times are those of `performance.now()`, as a timer checks them. */
export class CallDeadline implements ListItem {
  position = -1;
  /** Set when the provider sends something. */
  hasAnswered = false;
  isSilent = true;
  isLasting = false;

  constructor(
    readonly watcher: Watcher,
    readonly sentAtMs: number,
    public dueAtMs: number,
  ) {}
}

/** The deadlines of a provider's calls. One sweep checks all of them, so that calls need no timers of their own. */
export class CallDeadlines {
  readonly #underWay = new UnorderedList<CallDeadline>();
  #timer: ReturnType<typeof setInterval> | null = null;

  /** @param onAnswered is called when a check finds that a provider has sent something. */
  constructor(
    private readonly limits: ProviderLimits,
    private readonly onAnswered: () => void,
  ) {}

  /** Starts the deadline of a call that was just sent. */
  begin(watcher: Watcher): CallDeadline {
    const now = performance.now();
    const { firstByteMs, totalMs } = this.limits;
    const deadline = new CallDeadline(watcher, now, now + Math.min(firstByteMs, totalMs));
    this.#underWay.add(deadline);
    this.#timer ??= setInterval(() => this.#sweep(performance.now()), SWEEP_MS);
    return deadline;
  }

  /** How long a call that has just made progress may pause before its deadline, less two sweeps, in milliseconds. */
  allowedPauseMs({ sentAtMs }: CallDeadline): number {
    const { idleMs, totalMs } = this.limits;
    return Math.min(idleMs, sentAtMs + totalMs - performance.now()) - 2 * SWEEP_MS;
  }

  end(deadline: CallDeadline): void {
    this.#underWay.delete(deadline);
  }

  #sweep(now: number): void {
    if (this.#underWay.size === 0 && this.#timer) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
    this.#underWay.each((deadline) => this.#check(deadline, now));
  }

  #check(deadline: CallDeadline, now: number): void {
    const { watcher, sentAtMs } = deadline;
    const { idleMs, totalMs, connectMs } = this.limits;
    if (!deadline.isLasting) {
      deadline.isLasting = true;
      watcher.onLongCall();
    }
    if (deadline.hasAnswered) {
      deadline.hasAnswered = false;
      deadline.isSilent = false;
      deadline.dueAtMs = Math.min(now + idleMs, sentAtMs + totalMs);
      this.onAnswered();
    }
    if (now >= deadline.dueAtMs) watcher.onExpiry();
    else if (deadline.isSilent && now - sentAtMs >= connectMs) {
      deadline.isSilent = false;
      watcher.onSilence();
    }
  }
}
