import pg from "pg";
import type { Clock } from "../../clock";
import { destroy, disconnect } from "../../database/watched-client";
import { storeUnavailable } from "../../refusal";
import type { CallCheckpoint } from "../funds";
import { LEASE_MS, RENEW_MS } from "../writer/ledger-batch.sql";
import {
  type Answer,
  type Ask,
  type End,
  type ScopeFigures,
  STALE,
  Tick,
  type TickPair,
  type TickReply,
} from "./tick";
import { connect } from "./tick-connection";
import { ARGUMENT_TYPES, OUTCOMES, TICK_PROCEDURE } from "./tick-procedure.sql";

interface TickOptions {
  readonly url: string;
  /** The name of this process in leases and on holds. */
  readonly owner: string;
  readonly clock: Clock;
  /** The number of the last change that this process knows. */
  feed(): number;
  /** Called after each tick, with the figures that it changed. */
  onFigures(figures: readonly ScopeFigures[], pairs: readonly TickPair[], reply: TickReply): void;
  /** Whether the charge or the release of an end that was repeated is stored. */
  wasEnded(end: End): Promise<boolean>;
  /** Called with a hold that was refused, and may have been stored nevertheless. */
  undo(ask: Ask): void;
  onFailure(reason: string): void;
}

interface WaitingAsk {
  readonly ask: Ask;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
  isGivenUp: boolean;
}

interface WaitingEnd {
  readonly end: End;
  resolve(wasOpen: boolean): void;
  reject(error: unknown): void;
  /** Its first try may have been stored. */
  isRepeated: boolean;
}

const MAX_QUEUED = 10_000;
/** A tick has so many operations at most, so that none of them waits long for the others. */
const MAX_OPERATIONS = 500;
const RECONNECT_MS = 250;
/** New calls are refused that wait so long for an answer. */
const STALLED_MS = 2_000;
/** A connection that doesn't answer for so long is given up. */
const LOST_MS = 10_000;
/** The lock was not free in time, or PostgreSQL ended the transaction: nothing of it was stored. */
const NOT_BEGUN = ["55P03", "40001", "40P01"];
const CALL = `CALL ${TICK_PROCEDURE}(${Object.values(ARGUMENT_TYPES)
  .map((type, index) => `$${index + 1}::${type}`)
  .join(", ")}, NULL)`;

/**
 * The queue of one process to the books on PostgreSQL: one statement at a time, with all that arrived meanwhile.
 * Nothing is answered before it is on disk. If the outcome of a statement is unknown, its holds are refused, and
 * released where they were stored, and its ends are repeated.
 */
export class Ticks {
  #asks: WaitingAsk[] = [];
  #ends: WaitingEnd[] = [];
  #checkpoints = new Map<string, CallCheckpoint>();
  #client: pg.Client | null = null;
  #isSending = false;
  #isScheduled = false;
  #isStalled = false;
  #isClosed = false;
  #closing: (() => void) | null = null;
  #reported: string | null = null;
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #leasedAtMs = Number.NEGATIVE_INFINITY;
  /** The last answer's time, and when it was asked for and received, on this process's monotonic clock. */
  #time: { readonly now: number; readonly askedAtMs: number; readonly receivedAtMs: number } | null = null;
  #latestNow = 0;
  readonly #timer: ReturnType<typeof setInterval>;
  posted = 0n;
  held = 0n;
  /** How many statements were sent, and with how many operations. */
  sent = 0;
  operations = 0;

  constructor(private readonly options: TickOptions) {
    this.#timer = setInterval(() => this.#flush(), RENEW_MS / 4);
    this.#timer.unref();
  }

  /** Connects and takes a lease. @throws what PostgreSQL answers. */
  async open(): Promise<void> {
    this.#client = await connect(this.options, (client) => client.query("SELECT FROM book"));
    await this.#send([], [], new Map());
  }

  get isHealthy(): boolean {
    return this.#client !== null && !this.#isStalled;
  }

  /** Whether its lease is far from its end. */
  get ownsLease(): boolean {
    return this.options.clock.monotonicMs() - this.#leasedAtMs < LEASE_MS - RENEW_MS;
  }

  /** PostgreSQL's time as this process estimates it, in milliseconds. An answer that took long never sets it back. */
  nowMs(): number {
    const { clock } = this.options;
    if (!this.#time) return clock.nowMs();
    const { now, receivedAtMs } = this.#time;
    this.#latestNow = Math.max(this.#latestNow, Math.round(now + clock.monotonicMs() - receivedAtMs));
    return this.#latestNow;
  }

  /** @throws Refusal 503 */
  ask(ask: Ask): Promise<Answer> {
    if (!this.isHealthy || this.#isClosed || this.#asks.length >= MAX_QUEUED)
      return Promise.reject(storeUnavailable());
    return new Promise((resolve, reject) => {
      this.#asks.push({ ask, resolve, reject, isGivenUp: false });
      this.#flush();
    });
  }

  /** @returns whether it was open. @throws Refusal 503 if it can't be stored; repeat it then. */
  end(end: End): Promise<boolean> {
    if (this.#isClosed || this.#ends.length >= MAX_QUEUED) return Promise.reject(storeUnavailable());
    return new Promise((resolve, reject) => {
      this.#ends.push({ end, resolve, reject, isRepeated: false });
      this.#flush();
    });
  }

  checkpoint(holdId: string, checkpoint: CallCheckpoint): void {
    this.#checkpoints.set(holdId, checkpoint);
    this.#flush();
  }

  /** Sends what is queued, then disconnects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    if (this.#client && (this.#isSending || this.#hasWork))
      await new Promise<void>((resolve) => {
        this.#closing = resolve;
        this.#flush();
      });
    for (const { reject } of [...this.#asks, ...this.#ends]) reject(storeUnavailable());
    const client = this.#client;
    this.#client = null;
    if (client) await disconnect(client);
  }

  get #hasWork(): boolean {
    return this.#asks.length + this.#ends.length + this.#checkpoints.size > 0;
  }

  get #mustRenew(): boolean {
    return this.options.clock.monotonicMs() - this.#renewedAtMs >= RENEW_MS;
  }

  /** What arrives in one turn of the event loop shares a tick. */
  #flush(): void {
    if (this.#isSending || this.#isScheduled || !this.#client) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isSending || !this.#client) return;
      if (!this.#hasWork && !this.#mustRenew) return this.#closing?.();
      const asks = this.#takeAsks();
      const ends = this.#ends.splice(0, MAX_OPERATIONS);
      const checkpoints = this.#checkpoints;
      this.#checkpoints = new Map();
      void this.#send(asks, ends, checkpoints)
        .catch(() => {})
        .finally(() => this.#flush());
    });
  }

  /**
   * Two calls with one idempotency key never share a tick: the second has to find the first one's hold. A call that was
   * described before the last change is described again.
   */
  #takeAsks(): WaitingAsk[] {
    const keys = new Set<string>();
    const later: WaitingAsk[] = [];
    const known = this.options.feed();
    const taken = this.#asks.splice(0, MAX_OPERATIONS).filter((waiting) => {
      if (waiting.ask.feed < known) return waiting.resolve(STALE);
      const idempotency = waiting.ask.hold?.idempotency;
      if (!idempotency) return true;
      const key = `${idempotency.scope} ${idempotency.key}`;
      if (!keys.has(key)) return keys.add(key);
      later.push(waiting);
      return false;
    });
    this.#asks.unshift(...later);
    return taken;
  }

  async #send(
    asks: readonly WaitingAsk[],
    ends: readonly WaitingEnd[],
    checkpoints: ReadonlyMap<string, CallCheckpoint>,
  ): Promise<void> {
    const client = this.#client;
    if (!client) return this.#requeue(asks, ends);
    this.#isSending = true;
    const { clock, owner, feed } = this.options;
    const askedAtMs = clock.monotonicMs();
    const mustRenew = this.#mustRenew;
    const tick = new Tick(
      asks.map(({ ask }) => ask),
      ends.map(({ end }) => end),
      checkpoints,
    );
    const times = { ...this.#boundTime(askedAtMs), feed: feed(), lease_ms: mustRenew ? LEASE_MS : 0 };
    const stopWatching = this.#watch(client, asks);
    this.sent++;
    this.operations += asks.length + ends.length;
    try {
      const values = tick.encode(owner, times, this.nowMs());
      const { rows } = await client.query<{ reply: TickReply }>({ name: "tick", text: CALL, values });
      stopWatching();
      const reply = rows[0]?.reply;
      if (!reply) throw new Error("The tick gave no answer");
      this.#time = { now: reply.now, askedAtMs, receivedAtMs: clock.monotonicMs() };
      if (mustRenew) this.#renewedAtMs = this.#leasedAtMs = askedAtMs;
      else if (!reply.may_hold) this.#renewedAtMs = Number.NEGATIVE_INFINITY;
      this.#reported = null;
      this.#isStalled = false;
      this.#isSending = false;
      this.#note(tick, reply);
      this.#answer(tick, reply, asks, ends);
    } catch (error) {
      stopWatching();
      this.#isSending = false;
      await this.#fail(error, asks, ends, checkpoints);
    }
  }

  /** Time neither stands still nor jumps while PostgreSQL's clock does: this process's monotonic clock bounds it. */
  #boundTime(nowMs: number): { earliest: number | null; latest: number | null } {
    if (!this.#time) return { earliest: null, latest: null };
    const { now, askedAtMs, receivedAtMs } = this.#time;
    const earliest = Math.floor(now + (nowMs - receivedAtMs) * 0.999);
    return { earliest, latest: Math.ceil(now + (nowMs - askedAtMs) * 1.001) + 1 };
  }

  #note(tick: Tick, reply: TickReply): void {
    this.posted = BigInt(reply.posted);
    this.held = BigInt(reply.held);
    const figures = tick.scopes.map((scope, index) => ({
      scope,
      spent: BigInt(reply.spent[index] ?? 0),
      held: BigInt(reply.spend_held[index] ?? 0),
    }));
    this.options.onFigures(figures, tick.pairs, reply);
  }

  #answer(tick: Tick, reply: TickReply, asks: readonly WaitingAsk[], ends: readonly WaitingEnd[]): void {
    const pairAt = new Map(tick.pairs.map(({ projectId, model }, at) => [`${projectId} ${model}`, at]));
    for (const [index, waiting] of asks.entries()) {
      const { ask, resolve, isGivenUp } = waiting;
      const code = reply.outcomes[index] ?? OUTCOMES.noLease;
      if (isGivenUp) {
        if (code === OUTCOMES.placed && ask.hold) this.options.undo(ask);
        continue;
      }
      const at = pairAt.get(`${ask.pair.projectId} ${ask.pair.model}`) ?? 0;
      const { now, minute, day } = reply;
      const used = reply.used.slice(6 * at, 6 * at + 6);
      const [facts, slots] = [reply.facts[index + 1] ?? null, reply.slots[at + 1] ?? null];
      resolve({ code, now, minute, day, used, facts, slots });
    }
    for (const [index, { end, resolve, reject, isRepeated }] of ends.entries()) {
      if (reply.ended[index] === 1) resolve(true);
      else if (!isRepeated) resolve(false);
      else this.options.wasEnded(end).then(resolve, reject);
    }
  }

  /** Refuses the holds of a statement that takes too long, and gives its connection up later. */
  #watch(client: pg.Client, asks: readonly WaitingAsk[]): () => void {
    const stalled = setTimeout(() => {
      this.#isStalled = true;
      this.#report(`PostgreSQL has not answered for ${STALLED_MS} ms`);
      this.#giveUp(asks);
      this.#giveUp(this.#asks);
      this.#asks = [];
    }, STALLED_MS);
    const lost = setTimeout(() => destroy(client), LOST_MS);
    return () => {
      clearTimeout(stalled);
      clearTimeout(lost);
    };
  }

  #giveUp(asks: readonly WaitingAsk[]): void {
    for (const waiting of asks) {
      if (waiting.isGivenUp) continue;
      waiting.isGivenUp = true;
      waiting.reject(storeUnavailable());
    }
  }

  async #fail(
    error: unknown,
    asks: readonly WaitingAsk[],
    ends: readonly WaitingEnd[],
    checkpoints: ReadonlyMap<string, CallCheckpoint>,
  ): Promise<void> {
    this.#report(String(error));
    // A lease that can't be renewed now is tried again later, not at once.
    this.#renewedAtMs = Math.max(
      this.#renewedAtMs,
      this.options.clock.monotonicMs() - RENEW_MS + RENEW_MS / 10,
    );
    const code = error instanceof pg.DatabaseError ? (error.code ?? "") : "";
    if (NOT_BEGUN.includes(code)) {
      // Operations that wait behind it would wait for the same lock.
      this.#giveUp([...asks, ...this.#asks]);
      this.#asks = [];
      // None was stored, so their calls fail. A repeated one may have been stored by its first try.
      for (const { reject, isRepeated } of ends) if (!isRepeated) reject(storeUnavailable());
      const repeated = ends.filter(({ isRepeated }) => isRepeated);
      return this.#requeue([], repeated);
    }
    if (/^(22|23|P0|42)/.test(code)) {
      // One operation broke a rule of the tables, and none was stored: each has a tick of its own.
      if (asks.length + ends.length <= 1) {
        for (const { reject } of [...asks, ...ends]) reject(storeUnavailable());
        return;
      }
      for (const ask of asks) await this.#send([ask], [], new Map());
      for (const end of ends) await this.#send([], [end], new Map());
      return;
    }
    this.#giveUp(asks);
    for (const end of ends) end.isRepeated = true;
    for (const [id, checkpoint] of checkpoints)
      if (!this.#checkpoints.has(id)) this.#checkpoints.set(id, checkpoint);
    this.#requeue([], ends);
    await this.#reconnect(asks.map(({ ask }) => ask).filter(({ hold }) => hold));
  }

  #requeue(asks: readonly WaitingAsk[], ends: readonly WaitingEnd[]): void {
    this.#giveUp(asks);
    this.#ends.unshift(...ends);
  }

  /** @param doubtful holds that may have been stored. */
  async #reconnect(doubtful: readonly Ask[]): Promise<void> {
    if (this.#client) destroy(this.#client);
    this.#client = null;
    this.#giveUp(this.#asks);
    this.#asks = [];
    while (!this.#isClosed) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      try {
        this.#client = await connect(this.options, async (client) => {
          const ids = doubtful.map(({ hold }) => hold?.id);
          const { rows } = await client.query<{ id: string }>(
            "SELECT id FROM holds WHERE owner = $1 AND id = ANY ($2::text[])",
            [this.options.owner, ids],
          );
          const stored = new Set(rows.map(({ id }) => id));
          for (const ask of doubtful) if (ask.hold && stored.has(ask.hold.id)) this.options.undo(ask);
        });
        this.#isStalled = false;
        return this.#flush();
      } catch (error) {
        this.#report(String(error));
      }
    }
    // Nothing more can be sent: another process takes over what is not ended.
    this.#closing?.();
  }

  /** Reports a reason once, although thousands of calls may fail because of it. */
  #report(reason: string): void {
    if (reason === this.#reported) return;
    this.#reported = reason;
    this.options.onFailure(reason);
  }
}
