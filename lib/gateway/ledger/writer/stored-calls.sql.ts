import type { Database, SQLQueryBindings } from "bun:sqlite";
import {
  carriedMeasures,
  limitWindows,
  type RateLimitRow,
  rateLimitRows,
} from "@/lib/contract/calls/rate-limit-table";
import { MINUTE_MS } from "@/lib/contract/durations";
import { deriveId, firstIdAt } from "@/lib/contract/ids";
import { toNano } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import type { Idempotency } from "../../idempotency/idempotency";
import type { CallEnd, HoldDraft, RefusedRequest, Release, Settlement, TaskDraft } from "../funds";
import { carriedColumns, readAudioPrice, readPriceClasses } from "../ledger-row";
import { RefusalSamples } from "../refusal-samples";
import type { HoldResult, LedgerOperation } from "./ledger-operation";
import {
  type BatchEntries,
  findTaskHold,
  type HoldRow,
  type LedgerStatements,
  type StoredBalance,
  toHold,
} from "./ledger-statements.sql";
import { type SealTask, StoredTasks } from "./stored-tasks.sql";

export interface CallSeals {
  /** Seals a reply that is stored for repeats. */
  seal?(reply: string, idempotency: Idempotency): string;
  /** Seals a task's input. */
  readonly sealTask?: SealTask;
}

/** The calls of one process: their holds, how each hold ends, and refusals. */
export class StoredCalls {
  readonly #refusals: RefusalCounter;
  readonly #uncharged: UnchargedCalls;
  readonly #tasks: StoredTasks;
  readonly #mediaUsage: RecentMediaUsage;
  readonly #keyUses: StoredKeyUses;
  /** This process's holds, so that ending one needs no read of them. The store says whether one is still open. */
  readonly #holds = new Map<string, HoldDraft>();

  constructor(
    sqlite: Database,
    private readonly books: {
      readonly statements: LedgerStatements;
      readonly balance: StoredBalance;
      readonly entries: BatchEntries;
    },
    private readonly owner: string,
    private readonly seals: CallSeals,
  ) {
    this.#refusals = new RefusalCounter(sqlite);
    this.#uncharged = new UnchargedCalls(sqlite);
    this.#tasks = new StoredTasks(sqlite, seals.sealTask);
    this.#mediaUsage = new RecentMediaUsage(sqlite);
    this.#keyUses = new StoredKeyUses(sqlite);
  }

  /** Reloads the cache from the store. */
  reload(): void {
    this.#keyUses.forget();
    this.#refusals.forget();
    this.#holds.clear();
    for (const row of this.books.statements.openHolds.all(this.owner)) this.keepHold(row);
  }

  placeHold(hold: HoldDraft, task?: TaskDraft): HoldResult {
    const { statements, balance } = this.books;
    // A paused process may have asked for this before another one took the batch over, and ended it.
    if (hold.batchId && !statements.runsBatch(hold.batchId, this.owner)) return "taken over";
    if (!balance.hold(hold.amount)) return false;
    const { idempotency } = hold;
    const reply = idempotency && task ? this.#seal(task.reply, idempotency) : null;
    if (idempotency && !statements.takeKey(hold, idempotency, reply)) {
      balance.endHold(hold.amount);
      return "repeated";
    }
    statements.placeHold(hold, this.owner);
    this.#mediaUsage.note(hold);
    if (task) this.#tasks.insert(hold, task);
    this.#holds.set(hold.id, hold);
    return true;
  }

  /** A hold that another process placed, and that this one ends. */
  keepHold(row: HoldRow): void {
    this.#holds.set(row.id, toHold(row));
  }

  /** @returns whether the hold was still open. */
  settle(settlement: Settlement): boolean {
    const { holdId, end, reply } = settlement;
    const hold = this.#endHold(holdId);
    if (!hold) return false;
    const { requestId, keyId, createdAtMs, idempotency } = hold;
    this.books.entries.charge(hold, settlement);
    if (reply !== undefined && idempotency) {
      const sealedReply = this.#seal(reply, idempotency);
      this.books.statements.keepReply.run(sealedReply, idempotency.scope, idempotency.key, requestId);
    }
    if (hold.taskId) this.#tasks.end(hold.taskId, end.atMs, settlement.task);
    this.#keyUses.note(keyId, createdAtMs);
    return true;
  }

  /** @returns whether the hold was still open. */
  release({ holdId, end, task }: Release): boolean {
    const hold = this.#endHold(holdId);
    if (!hold) return false;
    this.#uncharged.insertReleased(hold, end);
    this.#mediaUsage.forget(hold);
    if (hold.taskId) this.#tasks.end(hold.taskId, end.atMs, task);
    else if (hold.idempotency) {
      const { scope, key } = hold.idempotency;
      this.books.statements.forgetIdempotent.run(scope, key, hold.requestId);
    }
    this.#keyUses.note(hold.keyId, hold.createdAtMs);
    return true;
  }

  logRefusal(request: RefusedRequest): void {
    this.#keyUses.note(request.keyId, request.atMs);
    if (this.#refusals.add(request)) this.#uncharged.insertRefused(request);
  }

  /** Call it before each commit. */
  writeRefusals(): void {
    this.#refusals.write();
  }

  /** Ends a hold that is still open. @returns null if it has ended before. */
  #endHold(holdId: string): HoldDraft | null {
    const { statements, balance } = this.books;
    const hold = this.#holds.get(holdId) ?? findTaskHold(statements, holdId);
    if (!hold) return null;
    this.#holds.delete(holdId);
    if (statements.endHold.run(holdId).changes === 0) return null;
    balance.endHold(hold.amount);
    return hold;
  }

  #seal(reply: string, idempotency: Idempotency): string {
    return this.seals.seal?.(reply, idempotency) ?? reply;
  }
}

/**
 * How to resolve a hold whose process is dead. A call that was sent is charged for its known output, at least the
 * prompt, and marked `interrupted`; one that was not sent is released.
 */
export function resolveOrphan(hold: HoldRow, nowMs: number): LedgerOperation {
  const promptTokens = Number(hold.prompt_tokens);
  const end: CallEnd = {
    outcome: hold.state === "created" ? "unsent" : "interrupted",
    status: 500,
    stream: hold.stream === 1n,
    estimatedTokens: promptTokens + Number(hold.max_completion_tokens),
    firstByteMs: null,
    // The wall clock may have been set back, and no other clock goes on from a process that is dead.
    durationMs: Math.max(0, nowMs - Number(hold.created_at_ms)),
    atMs: nowMs,
    provider: hold.provider,
    receiptDetails: hold.trace,
  };
  if (hold.state === "created") return { kind: "release", release: { holdId: hold.id, end } };
  const usage = {
    promptTokens,
    completionTokens: Number(hold.checkpoint_completion_tokens),
    ...(hold.units !== null && { units: Number(hold.units) }),
  };
  const price = {
    inputPer1m: toNano(hold.input_per_1m),
    outputPer1m: toNano(hold.output_per_1m),
    rate: toNano(hold.rate),
    ...(hold.unit !== null && { perUnit: { unit: hold.unit, amount: toNano(hold.unit_price ?? 0n) } }),
    ...readAudioPrice(hold.audio),
    ...readPriceClasses(hold.classes),
  };
  const entryId = deriveId("txn", hold.id);
  return {
    kind: "settle",
    settlement: {
      holdId: hold.id,
      entryId,
      varianceEntryId: `${entryId}v`,
      charge: computeCharge(usage, price),
      usage,
      basis: "interrupted",
      end,
    },
  };
}

/** The log of calls that cost nothing. */
class UnchargedCalls {
  readonly #log;

  constructor(sqlite: Database) {
    this.#log = sqlite.prepare(
      `INSERT INTO uncharged_calls (id, at_ms, project_id, key_id, model, stream, outcome, status, refused_by, held,
         estimated_tokens, first_byte_ms, duration_ms, facts, provider, trace, batch_id) VALUES (?${", ?".repeat(16)})`,
    );
  }

  /** A call whose whole hold was released. */
  insertReleased(hold: HoldDraft, end: CallEnd): void {
    const { requestId, createdAtMs, projectId, keyId, model, amount, batchId = null } = hold;
    const { stream, outcome, status, estimatedTokens, firstByteMs, durationMs, provider, receiptDetails } =
      end;
    const call = [requestId, createdAtMs, projectId, keyId, model, Number(stream), outcome, status] as const;
    const figures = [null, amount, estimatedTokens, firstByteMs, durationMs] as const;
    this.#log.run(...call, ...figures, null, provider, receiptDetails, batchId);
  }

  /** A call that was refused before a hold was placed. */
  insertRefused(request: RefusedRequest): void {
    const { requestId, atMs, projectId, keyId, model, stream, status, refusedBy, estimatedTokens } = request;
    const call = [requestId, atMs, projectId, keyId, model, Number(stream), "refused", status] as const;
    const facts = JSON.stringify(request.facts) ?? null;
    const figures = [refusedBy, null, estimatedTokens, null, null] as const;
    this.#log.run(...call, ...figures, facts, null, request.receiptDetails ?? null, request.batchId ?? null);
  }
}

interface Count {
  readonly request: RefusedRequest;
  readonly minuteMs: number;
  refusals: number;
  estimatedTokens: number;
}

/**
 * Counts refusals by minute, project, key, model and reason, and decides which are stored in full, so that a key that
 * keeps asking takes kilobytes a day. Used for one batch at a time: call `write` before its commit.
 */
class RefusalCounter {
  readonly #counts = new Map<string, Count>();
  readonly #samples: RefusalSamples;
  readonly #upsert;

  constructor(sqlite: Database) {
    this.#upsert = sqlite.prepare<null, [number, string, string, string, string, number, number]>(
      `INSERT INTO refusal_counts (minute_ms, project_id, key_id, model, refused_by, refusals, estimated_tokens)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
       SET refusals = refusals + excluded.refusals, estimated_tokens = estimated_tokens + excluded.estimated_tokens`,
    );
    const keptSince = sqlite.prepare<{ key_id: string; kept: bigint }, [string]>(
      "SELECT key_id, count(*) AS kept FROM uncharged_calls WHERE id >= ? AND outcome = 'refused' GROUP BY key_id",
    );
    this.#samples = new RefusalSamples((fromMs) =>
      keptSince.all(firstIdAt("req", fromMs)).map(({ key_id, kept }) => [key_id, Number(kept)] as const),
    );
  }

  /** @returns whether this refusal is stored in full. */
  add(request: RefusedRequest): boolean {
    const { atMs, projectId, keyId, model, refusedBy, estimatedTokens } = request;
    const minute = Math.floor(atMs / MINUTE_MS);
    const name = `${minute} ${projectId} ${keyId} ${refusedBy} ${model}`;
    const count = this.#counts.get(name);
    if (count) {
      count.refusals++;
      count.estimatedTokens += estimatedTokens;
    } else
      this.#counts.set(name, {
        request,
        minuteMs: minute * MINUTE_MS,
        refusals: 1,
        estimatedTokens,
      });
    return this.#samples.take(keyId, atMs);
  }

  /** Writes the counts to the store. */
  write(): void {
    for (const { request: of, minuteMs, refusals, estimatedTokens } of this.#counts.values()) {
      const { projectId, keyId, model, refusedBy } = of;
      this.#upsert.run(minuteMs, projectId, keyId, model, refusedBy, refusals, estimatedTokens);
    }
    this.#counts.clear();
  }

  /** Discards the counts after a rollback. */
  forget(): void {
    this.#counts.clear();
    this.#samples.forget();
  }
}

const USE_MS = MINUTE_MS;

/** When each key was last used, to the minute. */
class StoredKeyUses {
  readonly #noted = new Map<string, number>();
  readonly #note;

  constructor(sqlite: Database) {
    this.#note = sqlite.prepare<null, [string, number]>(
      `INSERT INTO key_uses (key_id, last_used_at_ms) VALUES (?, ?)
       ON CONFLICT (key_id) DO UPDATE SET last_used_at_ms = max(last_used_at_ms, excluded.last_used_at_ms)`,
    );
  }

  note(keyId: string, atMs: number): void {
    if (atMs - (this.#noted.get(keyId) ?? Number.NEGATIVE_INFINITY) < USE_MS) return;
    this.#note.run(keyId, atMs);
    this.#noted.set(keyId, atMs);
  }

  /** Call it after a rollback. */
  forget(): void {
    this.#noted.clear();
  }
}

type LimitWindowRow = Pick<RateLimitRow, "counts" | "window">;

const columns = carriedMeasures.map((measure) => carriedColumns[measure]);

/** The images and audio of calls that limits still count, so that the limits on them hold over restarts. */
export class RecentMediaUsage {
  readonly #statements;
  readonly #keptMs: number;

  constructor(sqlite: Database, limits: readonly LimitWindowRow[] = rateLimitRows) {
    this.#keptMs = findKeptMs(limits);
    this.#statements = {
      note: sqlite.prepare<null, SQLQueryBindings[]>(
        `INSERT INTO carried_media (request_id, project_id, model, at_ms, ${columns.join(", ")})
         VALUES (?, ?, ?, ?${", ?".repeat(columns.length)})`,
      ),
      forgetOld: sqlite.prepare<null, [number]>("DELETE FROM carried_media WHERE at_ms < ?"),
      forget: sqlite.prepare<null, [string]>("DELETE FROM carried_media WHERE request_id = ?"),
    };
  }

  note({ requestId, projectId, model, createdAtMs, carried }: HoldDraft): void {
    if (!carried) return;
    this.#statements.forgetOld.run(createdAtMs - this.#keptMs);
    const amounts = carriedMeasures.map((measure) => carried[measure] ?? 0);
    this.#statements.note.run(requestId, projectId, model, createdAtMs, ...amounts);
  }

  /** Forgets a call or a task that costs nothing, as admissions in memory do (`release`, `releaseHeld`). */
  forget({ requestId, carried }: HoldDraft): void {
    if (carried) this.#statements.forget.run(requestId);
  }
}

/** The longest window of a limit on media, and a minute more, since windows are kept in slots. */
function findKeptMs(limits: readonly LimitWindowRow[]): number {
  const carried: readonly string[] = carriedMeasures;
  const windows = limits.filter(({ counts }) => carried.includes(counts));
  return Math.max(0, ...windows.map(({ window }) => limitWindows[window].ms)) + MINUTE_MS;
}
