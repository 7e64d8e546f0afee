import type { Clock } from "../clock";
import { type ListItem, UnorderedList } from "../lists/unordered-list";
import type { ProviderLimits } from "../models/providers/provider-directory";
import type { ProviderRequest } from "./provider-client";

/** How often deadlines are checked, and so the maximum delay. */
const SWEEP_MS = 50;
/** How often it is checked whether a provider that is silent is still there, after the first time. */
const SILENCE_MS = 30_000;
/** How long a provider may take for its usage and `[DONE]` after the answer itself. */
const FINISH_MS = 2_000;

interface Watcher {
  /** Called once, if the call is still in progress at the first check. */
  onLongCall(): void;
  /** Called when the provider has sent nothing for as long as connecting may take, and from then on now and then. */
  onSilence(): void;
  /** Called when the deadline has passed. */
  onExpiry(): void;
}

/** The deadline of one call that was sent. Its times are on the monotonic clock. */
export class CallDeadline implements ListItem {
  position = -1;
  /** Set when the provider sends a part of its answer. */
  hasAnswered = false;
  /** When a silent provider is checked next; null once it has sent a part of its answer. */
  checkAtMs: number | null;
  isLasting = false;
  /** Set when the answer is whole: what follows extends the deadline no more. */
  isFinished = false;

  constructor(
    readonly watcher: Watcher,
    public dueAtMs: number,
    /** When the call ends, whatever is sent. */
    readonly endsAtMs: number,
    checkAtMs: number,
  ) {
    this.checkAtMs = checkAtMs;
  }
}

/** The deadlines of a provider's calls. One sweep checks all of them, so that calls need no timers of their own. */
export class CallDeadlines {
  readonly #underWay = new UnorderedList<CallDeadline>();
  #timer: ReturnType<typeof setInterval> | null = null;

  /** @param onAnswered is called when a check finds that a provider has sent something. */
  constructor(
    private readonly limits: ProviderLimits,
    private readonly clock: Pick<Clock, "monotonicMs">,
    private readonly onAnswered: () => void,
  ) {}

  /** Starts the deadline of a call that was just sent. */
  begin(watcher: Watcher, { stream, endpoint }: Pick<ProviderRequest, "stream" | "endpoint">): CallDeadline {
    const now = this.clock.monotonicMs();
    const { connectMs, wholeAnswerMs, firstEventMs, totalMs } = this.limits;
    const firstMs = stream ? firstEventMs : wholeAnswerMs;
    // Speech is passed on as it is made, so it may last longer than a whole answer.
    const lastMs = stream || endpoint === "audio/speech" ? totalMs : Math.min(wholeAnswerMs, totalMs);
    const dueAtMs = now + Math.min(firstMs, lastMs);
    const deadline = new CallDeadline(watcher, dueAtMs, now + lastMs, now + connectMs);
    this.#underWay.add(deadline);
    this.#timer ??= setInterval(() => this.#sweep(this.clock.monotonicMs()), SWEEP_MS);
    return deadline;
  }

  /** How long a call that has just made progress may pause before its deadline, less two sweeps, in milliseconds. */
  allowedPauseMs({ endsAtMs }: CallDeadline): number {
    return Math.min(this.limits.idleMs, endsAtMs - this.clock.monotonicMs()) - 2 * SWEEP_MS;
  }

  /** The answer is whole, and its end must come soon. */
  finish(deadline: CallDeadline): void {
    if (deadline.isFinished) return;
    deadline.isFinished = true;
    const afterMs = Math.min(FINISH_MS, this.limits.idleMs);
    deadline.dueAtMs = Math.min(this.clock.monotonicMs() + afterMs, deadline.endsAtMs);
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
    const { watcher } = deadline;
    if (!deadline.isLasting) {
      deadline.isLasting = true;
      watcher.onLongCall();
    }
    if (deadline.hasAnswered) {
      deadline.hasAnswered = false;
      deadline.checkAtMs = null;
      if (!deadline.isFinished) deadline.dueAtMs = Math.min(now + this.limits.idleMs, deadline.endsAtMs);
      this.onAnswered();
    }
    if (now >= deadline.dueAtMs) watcher.onExpiry();
    else if (deadline.checkAtMs !== null && now >= deadline.checkAtMs) {
      deadline.checkAtMs = now + SILENCE_MS;
      watcher.onSilence();
    }
  }
}
