import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../clock";
import { Refusal, retryAfter } from "../../refusal";

/** The maximum size of a reply. */
export const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const MAX_HELD_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** The call whose reply waits for memory. */
export interface Waiting {
  /** Records that reading pauses by the gateway's doing, which doesn't count towards the provider's deadlines. */
  notePause(): void;
  /** How long reading may pause before the provider's deadline passes, in milliseconds. */
  allowedPauseMs(): number;
  /** Calls `giveUp` if the call is canceled while it waits; null once it waits no more. */
  giveUpWith(giveUp: (() => void) | null): void;
}

interface Wait {
  readonly bytes: number;
  readonly grant: () => void;
}

/**
 * Limits the memory of all long replies together. Among the replies that are still being read, the oldest has a reserve
 * as large as the longest reply, and the others share the rest in order of age. So one reply can always be read
 * completely, and none waits for a newer one.
 */
export class ReplyMemory {
  #heldBytes = 0;
  /** The replies still being read, oldest first, each with its wait. */
  readonly #growing = new Map<ReplyShare, Wait | null>();

  constructor(
    private readonly max: { readonly bytes: number; readonly timeoutMs: number; readonly reply: number } = {
      bytes: MAX_HELD_BYTES,
      timeoutMs: TIMEOUT_MS,
      reply: MAX_REPLY_BYTES,
    },
    readonly pace = new ReplyPace(),
  ) {}

  get heldBytes(): number {
    return this.#heldBytes;
  }

  newShare(): ReplyShare {
    return new ReplyShare(this);
  }

  /** Sets a share to this size if there is room. @returns whether there was. */
  take(share: ReplyShare, bytes: number): boolean {
    if (!this.#growing.has(share)) this.#growing.set(share, null);
    if (!this.#isFree(share, bytes)) return false;
    this.#heldBytes += bytes - share.bytes;
    share.bytes = bytes;
    return true;
  }

  /** Resolves once there is room. @throws Refusal 503 after too long a wait. */
  wait(share: ReplyShare, bytes: number, waiting: Waiting): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.notePause();
      const timeoutMs = Math.max(0, Math.min(this.max.timeoutMs, waiting.allowedPauseMs()));
      const end = (settle: () => void) => {
        clearTimeout(timer);
        waiting.giveUpWith(null);
        if (this.#growing.has(share)) this.#growing.set(share, null);
        settle();
      };
      const timer = setTimeout(() => end(() => reject(tooMuchAtOnce())), timeoutMs);
      waiting.giveUpWith(() => end(() => reject(new Error("The call ended while its reply waited"))));
      this.#growing.set(share, { bytes, grant: () => end(resolve) });
    });
  }

  /** The reply was read completely, so the next oldest gets the reserve. The share keeps its bytes. */
  rest(share: ReplyShare): void {
    this.#growing.delete(share);
    this.#grant();
  }

  release(share: ReplyShare): void {
    if (share.bytes === 0 && !this.#growing.has(share)) return;
    this.#heldBytes -= share.bytes;
    share.bytes = 0;
    this.rest(share);
  }

  #isFree(share: ReplyShare, bytes: number): boolean {
    const heldAfter = this.#heldBytes + bytes - share.bytes;
    for (const [older, wait] of this.#growing) {
      if (older === share) break;
      if (wait !== null) return false;
    }
    const [oldest] = this.#growing.keys();
    return heldAfter <= (oldest === share ? this.max.bytes : this.max.bytes - this.max.reply);
  }

  #grant(): void {
    for (const [share, wait] of this.#growing) {
      if (wait === null) continue;
      if (!this.take(share, wait.bytes)) return;
      wait.grant();
    }
  }
}

/** The memory of one reply. */
export class ReplyShare {
  bytes = 0;

  constructor(private readonly memory: ReplyMemory) {}

  /**
   * Null where reading may go on now; otherwise resolves once there is room and the pace allows it.
   * @param bytes size of the reply so far.
   * @throws Refusal 503 after too long a wait for room.
   */
  growTo(bytes: number, waiting: Waiting): Promise<void> | null {
    const grown = bytes - this.bytes;
    return this.memory.take(this, bytes) ? this.#pause(grown, waiting) : this.#wait(bytes, grown, waiting);
  }

  async #wait(bytes: number, grown: number, waiting: Waiting): Promise<void> {
    await this.memory.wait(this, bytes, waiting);
    await this.#pause(grown, waiting);
  }

  #pause(grown: number, waiting: Waiting): Promise<void> | null {
    const pause = this.memory.pace.count(grown);
    if (pause) waiting.notePause();
    return pause;
  }

  /** The reply was read completely. */
  rest(): void {
    if (this.bytes > 0) this.memory.rest(this);
  }

  /** The client has the reply, or it was dropped. */
  release(): void {
    this.memory.release(this);
  }
}

function tooMuchAtOnce(): Refusal {
  const message =
    "The gateway holds as many long replies as it has memory for, and this one waited for too long. Try again in a second.";
  return new Refusal(503, "service_error", "too_much_at_once", message, { headers: retryAfter(1) });
}

/** Texts up to this size take at most about two milliseconds on the event loop; brackets are the most expensive. */
export const SYNCHRONOUS_BYTES = 16 * 1024;

/** A gigabit a second: about what the thread that reads long replies can parse, and a few percent of the event loop. */
const BYTES_PER_MS = 128 * 1024;
/** Reading is paused once it is this far ahead of the pace, so single long replies are not slowed down. */
const MAX_AHEAD_MS = 20;

interface ReplyPaceOptions {
  readonly monotonicMs: Clock["monotonicMs"];
  readonly wait: (delayMs: number) => Promise<void>;
}

/**
 * Limits the rate at which all long replies together are read. Each of their bytes costs time on the event loop, so
 * fast providers would delay the streams of other callers. Pieces wait their turn in the order in which they were
 * announced.
 */
export class ReplyPace {
  #paidUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: ReplyPaceOptions = {
      monotonicMs: () => performance.now(),
      wait: (delayMs) => sleep(delayMs),
    },
  ) {}

  /** Counts bytes of a long reply. Null where reading may go on now; otherwise resolves once it may. */
  count(bytes: number): Promise<void> | null {
    const nowMs = this.options.monotonicMs();
    const startMs = Math.max(this.#paidUntilMs, nowMs);
    this.#paidUntilMs = startMs + bytes / BYTES_PER_MS;
    const aheadMs = startMs - nowMs;
    return aheadMs <= MAX_AHEAD_MS ? null : this.options.wait(aheadMs);
  }
}
