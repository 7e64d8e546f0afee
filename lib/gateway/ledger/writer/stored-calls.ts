import type { Database } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import type { Idempotency } from "../../idempotency/idempotency";
import { readPriceClasses } from "../class-columns";
import {
  type CallEnd,
  deriveId,
  type HoldDraft,
  type RefusedRequest,
  type Release,
  type Settlement,
} from "../funds";
import type { TaskDraft } from "../held-task";
import { readAudioPrice } from "../media-columns";
import type { BatchEntries } from "./batch-entries.sql";
import type { HoldResult, LedgerOperation } from "./ledger-operation";
import { findTaskHold, type HoldRow, type LedgerStatements, toHold } from "./ledger-statements.sql";
import type { StoredBalance } from "./stored-balance.sql";
import { type SealTask, StoredTasks } from "./stored-tasks.sql";
import { RecentMediaUsage, StoredKeyUses } from "./stored-uses.sql";
import { RefusalCounter, UnchargedCalls } from "./uncharged-calls.sql";

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

  /** Replaces what is cached by what is stored. */
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
