import type pg from "pg";
import { type Nano, toNano } from "@/lib/money/amount";
import type { Clock } from "../../clock";
import type { Database } from "../../database/database";
import { openExactPool } from "../../database/postgres";
import { sealReply } from "../../idempotency/idempotent-replies.sql";
import type { CallCheckpoint, Funds, HoldDraft, Release, Settlement, TaskDraft } from "../funds";
import { describeCharge, describeVariance } from "../ledger-row";
import { type HoldRow, toHold } from "../writer/ledger-statements.sql";
import { resolveOrphan } from "../writer/stored-calls.sql";
import { giveBackLease } from "./leases.sql";
import { PassingNotes } from "./passing-notes.sql";
import { PostgresPayments } from "./postgres-payments.sql";
import { describeTaskEnd, describeUncharged, type Sealing, sealTask } from "./task-rows";
import type { Answer, Ask, End, ScopeFigures, TakenSlots, TickPair, TickReply } from "./tick";
import { OUTCOMES } from "./tick-procedure.sql";
import { Ticks } from "./ticks";
import { DAY_SLOT_MS, MINUTE_SLOT_MS } from "./window-functions.sql";

interface FundsOptions {
  readonly url: string;
  readonly owner: string;
  readonly clock: Clock;
  readonly sealing: Sealing;
  /** For payments, and for what is stored in passing. */
  readonly database: Database;
  onFailure(reason: string): void;
}

/** This process's facts of its own hold. */
interface Held {
  readonly hold: HoldDraft;
  /** Null for a hold that it has taken over: the limits keep what was counted. */
  readonly taken: Taken | null;
}

/** What a call was counted with. */
interface Taken extends TakenSlots {
  readonly pair: TickPair;
  readonly needs: readonly number[];
  readonly estimatedTokens: number;
}

/** The use of a project's model at this process's last tick with it, on the monotonic clock. */
interface KnownUse {
  readonly used: readonly number[];
  readonly atMs: number;
}

const NO_USE: KnownUse = { used: [0, 0, 0, 0, 0, 0], atMs: Number.NEGATIVE_INFINITY };
const REQUESTS = [0, 4];
const TOKENS = 1;
/** Funds on PostgreSQL, of any number of processes: each end, and each hold with its admission, is part of a tick. */
export class PostgresFunds implements Funds {
  readonly #ticks: Ticks;
  readonly #holds = new Map<string, Held>();
  /** Holds that were asked for, and are not answered. */
  readonly #asked = new Set<string>();
  /** What admissions without a hold have counted. */
  readonly #taken = new WeakMap<object, Taken>();
  readonly #uses = new Map<string, KnownUse>();
  readonly #payments: PostgresPayments;
  readonly #notes: PassingNotes;
  readonly #reads: pg.Pool;
  /** Whether it still has adopted holds to end. */
  #mustAdopt = false;
  #feed = () => Number.MAX_SAFE_INTEGER;
  #onSpent: (figures: ScopeFigures) => void = () => {};

  private constructor(private readonly options: FundsOptions) {
    const { url, owner, clock, onFailure, database } = options;
    this.#ticks = new Ticks({
      url,
      owner,
      clock,
      feed: () => this.#feed(),
      onFigures: (figures, pairs, reply) => this.#noteFigures(figures, pairs, reply),
      wasEnded: (end) => this.#wasEnded(end),
      undo: (ask) => this.#undo(ask),
      onFailure,
    });
    this.#payments = new PostgresPayments(database);
    this.#notes = new PassingNotes(database, onFailure);
    this.#reads = openExactPool(url);
  }

  /** Connects and takes a lease. */
  static async open(options: FundsOptions): Promise<PostgresFunds> {
    const funds = new PostgresFunds(options);
    try {
      await funds.#ticks.open();
    } catch (error) {
      await funds.close();
      throw error;
    }
    return funds;
  }

  /** Lets a tick refuse holds while this process doesn't know the last change. */
  follow(feed: () => number, onSpent: (figures: ScopeFigures) => void): void {
    this.#feed = feed;
    this.#onSpent = onSpent;
  }

  get available(): Nano {
    return toNano(this.#ticks.posted - this.#ticks.held);
  }

  /** How many statements were sent, and with how many operations. */
  get counts(): { readonly sent: number; readonly operations: number } {
    return this.#ticks;
  }

  nowMs(): number {
    return this.#ticks.nowMs();
  }

  /** Whether no other process can have taken over what this one holds or has claimed. */
  ownsLease(): boolean {
    return this.#ticks.ownsLease;
  }

  usedBy({ projectId, model }: Pick<TickPair, "projectId" | "model">): KnownUse {
    return this.#uses.get(`${projectId} ${model}`) ?? NO_USE;
  }

  /** Admits a call, and places its hold in the same statement. */
  async ask(
    ask: Ask,
    {
      decision,
      task,
    }: { readonly decision: { readonly estimatedTokens: number }; readonly task?: TaskDraft | undefined },
  ): Promise<Answer> {
    const { hold, pair, needs } = ask;
    if (hold) this.#asked.add(hold.id);
    try {
      const asked = hold && task ? { ...ask, ...sealTask(hold, task, this.options.sealing) } : ask;
      const answer = await this.#ticks.ask(asked);
      if (hold && answer.code === OUTCOMES.placed && !ask.isPreview) {
        const { minute, day } = answer;
        const { estimatedTokens } = decision;
        this.#holds.set(hold.id, { hold, taken: { pair, needs, estimatedTokens, minute, day } });
      }
      return answer;
    } finally {
      if (hold) this.#asked.delete(hold.id);
    }
  }

  /** Remembers what an admission without a hold has counted, to give it back. */
  noteTaken(
    admission: { readonly estimatedTokens: number; readonly request: { readonly projectId: string } },
    { pair, needs, answer: { minute, day } }: { pair: TickPair; needs: readonly number[]; answer: Answer },
  ): void {
    this.#taken.set(admission, { pair, needs, estimatedTokens: admission.estimatedTokens, minute, day });
  }

  forgetTaken(admission: object): void {
    this.#taken.delete(admission);
  }

  async giveBack(admission: object): Promise<void> {
    const taken = this.#taken.get(admission);
    if (!taken) return;
    this.#taken.delete(admission);
    const { pair, needs: give, minute, day } = taken;
    const end = { ...NO_END, holdId: "", projectId: pair.projectId, pair, give, slots: { minute, day } };
    await this.#ticks.end(end).catch(() => {});
  }

  placeHold(): never {
    throw new TypeError("On PostgreSQL a hold is placed with its admission");
  }

  async settle(settlement: Settlement): Promise<boolean> {
    const held = await this.#findHold(settlement.holdId);
    if (!held) return false;
    const { hold, taken } = held;
    const { end, usage, reply, varianceEntryId } = settlement;
    const charge = describeCharge(hold, settlement);
    const excess = settlement.charge - charge.amount;
    const counted = settlement.countedTokens ?? usage.promptTokens + usage.completionTokens;
    // A task's tokens stay as they were estimated.
    const adjusted = hold.taskId === undefined ? taken : null;
    const difference = adjusted ? counted - adjusted.estimatedTokens : 0;
    const { idempotency, requestId } = hold;
    return this.#end(held, {
      ...NO_END,
      ...base(held),
      charge: charge.amount,
      late: Math.max(0, difference),
      give: difference < 0 ? onlyTokens(-difference) : null,
      entries: [
        { row: charge, trace: end.receiptDetails },
        ...(excess > 0n ? [{ row: describeVariance(charge, varianceEntryId, excess), trace: null }] : []),
      ],
      reply:
        reply !== undefined && idempotency
          ? { idempotency, requestId, text: sealReply(reply, idempotency, this.options.sealing) }
          : null,
      taskEnd: describeTaskEnd(hold, end.atMs, settlement.task),
    });
  }

  async release({ holdId, end, task }: Release): Promise<boolean> {
    const held = await this.#findHold(holdId);
    if (!held) return false;
    const { hold, taken } = held;
    const { requestId, idempotency, taskId } = hold;
    // A call that was sent counts as a request.
    const give =
      taken &&
      taken.needs.map((need, place) => (end.outcome !== "unsent" && REQUESTS.includes(place) ? 0 : need));
    return this.#end(held, {
      ...NO_END,
      ...base(held),
      give,
      uncharged: describeUncharged(hold, end),
      reply: idempotency && taskId === undefined ? { idempotency, requestId, text: null } : null,
      taskEnd: describeTaskEnd(hold, end.atMs, task),
    });
  }

  async #end(held: Held, end: End): Promise<boolean> {
    const wasOpen = await this.#ticks.end(end);
    this.#holds.delete(end.holdId);
    if (wasOpen) this.#notes.noteKeyUse(held.hold.keyId, held.hold.createdAtMs);
    return wasOpen;
  }

  /** A task may be ended by another process than the one that placed its hold. */
  async #findHold(id: string): Promise<Held | null> {
    const known = this.#holds.get(id);
    if (known) return known;
    const [row] = await this.#listHolds("holds.id = $1 AND task_id IS NOT NULL", id);
    return row ? { hold: toHold(row), taken: null } : null;
  }

  /**
   * Adopts the holds of processes whose lease has ended. Those of calls are charged as interrupted; tasks go on.
   * Processes that run at the same time are never taken for dead at a start.
   */
  async takeOver(): Promise<number> {
    const { owner } = this.options;
    // Mostly nobody is gone, and looking at that locks nothing.
    const { rowCount } = await this.#reads.query(
      "SELECT FROM leases WHERE owner <> $1 AND ends_at_ms < $2 LIMIT 1",
      [owner, this.nowMs()],
    );
    if (rowCount === 0 && !this.#mustAdopt) return 0;
    this.#mustAdopt = true;
    await this.#reads.query("SELECT take_over_v1($1)", [owner]);
    const rows = await this.#listHolds("owner = $1", owner);
    const adopted = rows.filter(({ id }) => !this.#holds.has(id) && !this.#asked.has(id));
    for (const row of adopted) this.#holds.set(row.id, { hold: toHold(row), taken: null });
    const orphans = adopted.filter(({ task_id }) => task_id === null);
    await Promise.all(
      orphans.map((row) => {
        const operation = resolveOrphan(row, this.nowMs());
        if (operation.kind === "settle") return this.settle(operation.settlement);
        return operation.kind === "release" ? this.release(operation.release) : false;
      }),
    ).catch((error: unknown) => {
      // They are tried again the next time.
      for (const { id } of orphans) this.#holds.delete(id);
      throw error;
    });
    this.#mustAdopt = false;
    return adopted.length;
  }

  async #listHolds(condition: string, value: string): Promise<HoldRow[]> {
    const { rows } = await this.#reads.query<HoldRow>(
      `SELECT holds.*, scope, key, body_hash, NULL AS images, NULL AS audio_megabytes FROM holds
       LEFT JOIN idempotency_keys ON idempotency_keys.created_at_ms = holds.created_at_ms
         AND idempotency_keys.request_id = holds.request_id WHERE ${condition}`,
      [value],
    );
    return rows;
  }

  readonly recordPayment: Funds["recordPayment"] = (...parameters) =>
    this.#payments.record(...parameters).finally(() => this.#refresh());
  readonly importPayments: Funds["importPayments"] = (...parameters) =>
    this.#payments.recordAll(...parameters).finally(() => this.#refresh());
  readonly recordCorrection: Funds["recordCorrection"] = (...parameters) =>
    this.#payments.correct(...parameters).finally(() => this.#refresh());
  readonly approvePayment: Funds["approvePayment"] = (approval) =>
    this.#payments.approve(approval).finally(() => this.#refresh());

  checkpoint(holdId: string, checkpoint: CallCheckpoint): void {
    if (this.#holds.has(holdId)) this.#ticks.checkpoint(holdId, checkpoint);
  }

  readonly logRefusal: Funds["logRefusal"] = (refused) => this.#notes.noteRefusal(refused);

  isHealthy(): boolean {
    return this.#ticks.isHealthy;
  }

  async close(): Promise<void> {
    await this.#ticks.close();
    await this.#notes.close();
    const { database, owner, onFailure } = this.options;
    await giveBackLease(database, owner).catch((error: unknown) => onFailure(String(error)));
    await this.#reads.end();
  }

  /** The balance as the next call finds it. */
  async #refresh(): Promise<void> {
    const nothing = { ...NO_END, holdId: "", projectId: "" };
    await this.#ticks.end(nothing).catch(() => {});
  }

  #noteFigures(figures: readonly ScopeFigures[], pairs: readonly TickPair[], reply: TickReply): void {
    const atMs = this.options.clock.monotonicMs();
    for (const [index, { projectId, model }] of pairs.entries())
      this.#uses.set(`${projectId} ${model}`, { used: reply.used.slice(6 * index, 6 * index + 6), atMs });
    for (const figure of figures) this.#onSpent(figure);
  }

  /** Releases a hold whose call was refused while its outcome was unknown. */
  #undo({ hold, pair, needs }: Ask): void {
    if (!hold) return;
    const atMs = this.nowMs();
    const end = {
      outcome: "unsent" as const,
      status: 503,
      stream: false,
      estimatedTokens: hold.promptTokens + hold.maxCompletionTokens,
      firstByteMs: null,
      durationMs: Math.max(0, atMs - hold.createdAtMs),
      atMs,
      provider: null,
      receiptDetails: null,
    };
    const slots = {
      minute: Math.floor(hold.createdAtMs / MINUTE_SLOT_MS),
      day: Math.floor(hold.createdAtMs / DAY_SLOT_MS),
    };
    this.#holds.set(hold.id, { hold, taken: { pair, needs, estimatedTokens: 0, ...slots } });
    this.release({ holdId: hold.id, end }).catch(() =>
      setTimeout(() => this.#undo({ hold, pair, needs } as Ask), 1_000).unref(),
    );
  }

  async #wasEnded({ holdId, entries, uncharged }: End): Promise<boolean> {
    const [charge] = entries;
    const { rows } = await this.#reads.query<{ basis: string | null }>(
      charge
        ? "SELECT basis FROM ledger_entries WHERE id = $1"
        : "SELECT outcome AS basis FROM uncharged_calls WHERE id = $1",
      [charge ? charge.row.id : (uncharged?.id ?? holdId)],
    );
    return rows[0] !== undefined && rows[0].basis === (charge ? charge.row.basis : uncharged?.outcome);
  }
}

const NO_END = {
  charge: 0n,
  late: 0,
  pair: null,
  give: null,
  slots: null,
  entries: [],
  uncharged: null,
  reply: null,
  taskEnd: null,
} as const satisfies Partial<End>;

function base({ hold, taken }: Held) {
  const slots = taken && { minute: taken.minute, day: taken.day };
  return { holdId: hold.id, projectId: hold.projectId, pair: taken?.pair ?? null, slots };
}

function onlyTokens(tokens: number): number[] {
  return NO_USE.used.map((_none, place) => (place === TOKENS ? tokens : 0));
}
