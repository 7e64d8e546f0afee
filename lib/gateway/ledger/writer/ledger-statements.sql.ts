import type { Database } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
import { IDEMPOTENCY_MS, type Idempotency } from "../../idempotency/idempotency";
import type { CallCheckpoint, HoldDraft } from "../funds";
import {
  type CarriedRow,
  carriedColumns,
  readAudioPrice,
  readCarried,
  readPriceClasses,
  writeAudioPrice,
  writePriceClasses,
} from "../ledger-row";

const holdColumns = `id, owner, request_id, amount, project_id, key_id, model, prompt_tokens, max_completion_tokens,
  input_per_1m, output_per_1m, rate, created_at_ms, deadline_at_ms, task_id, batch_id, units, unit, unit_price, audio,
  classes`;

/**
 * Open holds with the idempotency keys and carried media of their calls. A key has the time of its call, by which it is
 * found.
 */
const selectHolds = `SELECT holds.*, scope, key, body_hash, ${Object.values(carriedColumns).join(", ")} FROM holds
  LEFT JOIN idempotency_keys ON idempotency_keys.created_at_ms = holds.created_at_ms
    AND idempotency_keys.request_id = holds.request_id
  LEFT JOIN carried_media ON carried_media.request_id = holds.request_id`;

/** The ledger's prepared write statements. Parameters are positional, in the order of the columns. */
export function prepareLedgerStatements(sqlite: Database) {
  const checkpoint = sqlite.prepare<null, [number, number, string | null, string | null, string]>(
    "UPDATE holds SET checkpoint_completion_tokens = ?, stream = ?, provider = ?, trace = ? WHERE id = ?",
  );
  const placeHold = sqlite.prepare(
    `INSERT INTO holds (state, ${holdColumns}) VALUES ('dispatched'${", ?".repeat(21)})`,
  );
  const runsBatch = sqlite.prepare<{ id: string }, [string, string]>(
    "SELECT id FROM batches WHERE id = ? AND claimed_by = ? AND ended_at_ms IS NULL",
  );
  return {
    probe: sqlite.prepare<null, []>("UPDATE accounts SET balance = balance WHERE name = 'balance'"),
    placeHold(hold: HoldDraft, owner: string) {
      const { id, requestId, amount, projectId, keyId, model, promptTokens, maxCompletionTokens, price } =
        hold;
      const call = [id, owner, requestId, amount, projectId, keyId, model] as const;
      const prices = [price.inputPer1m, price.outputPer1m, price.rate] as const;
      const times = [hold.createdAtMs, hold.deadlineAtMs] as const;
      const originColumns = [hold.taskId ?? null, hold.batchId ?? null] as const;
      const mediaColumns = [
        ...originColumns,
        hold.units ?? null,
        price.perUnit?.unit ?? null,
        price.perUnit?.amount ?? null,
        writeAudioPrice(price),
        writePriceClasses(price),
      ] as const;
      placeHold.run(...call, promptTokens, maxCompletionTokens, ...prices, ...times, ...mediaColumns);
    },
    /** Whether the process still runs a batch: it has neither ended nor been claimed by another one. */
    runsBatch: (batchId: string, owner: string) => runsBatch.get(batchId, owner) !== null,
    endHold: sqlite.prepare<null, [string]>("DELETE FROM holds WHERE id = ?"),
    checkpoint: (holdId: string, { completionTokens, stream, provider, receiptDetails }: CallCheckpoint) =>
      checkpoint.run(completionTokens, Number(stream), provider, receiptDetails, holdId),
    findIdempotent: sqlite.prepare<
      { body_hash: string; reply: string | null },
      { scope: string; key: string; since: number }
    >(
      `SELECT body_hash, reply FROM idempotency_keys
       WHERE scope = $scope AND key = $key AND created_at_ms > $since`,
    ),
    keepIdempotent: sqlite.prepare(
      `INSERT OR REPLACE INTO idempotency_keys (scope, key, body_hash, reply, created_at_ms, request_id)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    takeKey: prepareTakeKey(sqlite),
    keepReply: sqlite.prepare<null, [string, string, string, string]>(
      "UPDATE idempotency_keys SET reply = ? WHERE scope = ? AND key = ? AND request_id = ?",
    ),
    forgetIdempotent: sqlite.prepare<null, [string, string, string]>(
      "DELETE FROM idempotency_keys WHERE scope = ? AND key = ? AND request_id = ?",
    ),
    openHolds: sqlite.prepare<HoldRow, [string]>(`${selectHolds} WHERE owner = ?`),
    taskHold: sqlite.prepare<HoldRow, [string]>(`${selectHolds} WHERE holds.id = ? AND task_id IS NOT NULL`),
    adoptHold: sqlite.prepare<null, [owner: string, id: string]>("UPDATE holds SET owner = ? WHERE id = ?"),
  };
}

/**
 * Stores the key of a hold, unless another call with it has an open hold, or was charged or made a task within a day.
 */
function prepareTakeKey(sqlite: Database) {
  const take = sqlite.prepare(
    `INSERT INTO idempotency_keys (scope, key, body_hash, reply, created_at_ms, request_id)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (scope, key) DO UPDATE SET body_hash = excluded.body_hash, reply = excluded.reply,
       created_at_ms = excluded.created_at_ms, request_id = excluded.request_id
     WHERE NOT EXISTS (SELECT 1 FROM holds WHERE id = 'hold_' || substr(idempotency_keys.request_id, 5))
       AND (idempotency_keys.created_at_ms <= ?
         OR NOT EXISTS (SELECT 1 FROM ledger_entries WHERE id = 'txn_' || substr(idempotency_keys.request_id, 5))
         AND NOT EXISTS (SELECT 1 FROM tasks WHERE request_id = idempotency_keys.request_id))`,
  );
  /** @returns whether the key is this hold's. */
  return (
    { createdAtMs, requestId }: HoldDraft,
    { scope, key, bodyHash }: Idempotency,
    reply: string | null,
  ): boolean => {
    const row = [scope, key, bodyHash, reply, createdAtMs, requestId] as const;
    return take.run(...row, createdAtMs - IDEMPOTENCY_MS).changes > 0;
  };
}

export type LedgerStatements = ReturnType<typeof prepareLedgerStatements>;

/** An open hold as it is stored; integers are bigint on the writer's connection. */
export interface HoldRow extends CarriedRow {
  /** Earlier versions stored a hold as `created` until its call was sent. */
  state: "created" | "dispatched";
  checkpoint_completion_tokens: bigint;
  /** These three are null before the first checkpoint. */
  stream: bigint | null;
  provider: string | null;
  trace: string | null;
  id: string;
  owner: string;
  request_id: string;
  amount: bigint;
  project_id: string;
  key_id: string;
  model: string;
  prompt_tokens: bigint;
  max_completion_tokens: bigint;
  input_per_1m: bigint;
  output_per_1m: bigint;
  rate: bigint;
  created_at_ms: bigint;
  deadline_at_ms: bigint;
  task_id: string | null;
  batch_id: string | null;
  units: bigint | null;
  unit: string | null;
  unit_price: bigint | null;
  audio: string | null;
  classes: string | null;
  /** These three are null for a call without an idempotency key. */
  scope: string | null;
  key: string | null;
  body_hash: string | null;
}

export function toHold(row: HoldRow): HoldDraft {
  const { scope, key, body_hash } = row;
  const carried = readCarried(row);
  return {
    id: row.id,
    requestId: row.request_id,
    amount: toNano(row.amount),
    projectId: row.project_id,
    keyId: row.key_id,
    model: row.model,
    promptTokens: Number(row.prompt_tokens),
    maxCompletionTokens: Number(row.max_completion_tokens),
    price: {
      inputPer1m: toNano(row.input_per_1m),
      outputPer1m: toNano(row.output_per_1m),
      rate: toNano(row.rate),
      ...(row.unit !== null && { perUnit: { unit: row.unit, amount: toNano(row.unit_price ?? 0n) } }),
      ...readAudioPrice(row.audio),
      ...readPriceClasses(row.classes),
    },
    createdAtMs: Number(row.created_at_ms),
    deadlineAtMs: Number(row.deadline_at_ms),
    ...(row.units !== null && { units: Number(row.units) }),
    ...(row.task_id !== null && { taskId: row.task_id }),
    ...(row.batch_id !== null && { batchId: row.batch_id }),
    ...(scope !== null && key !== null && { idempotency: { scope, key, bodyHash: body_hash ?? "" } }),
    ...(carried && { carried }),
  };
}

/** Another process than the hold's owner may end a task. */
export function findTaskHold(
  { taskHold }: Pick<LedgerStatements, "taskHold">,
  holdId: string,
): HoldDraft | null {
  const row = taskHold.get(holdId);
  return row && toHold(row);
}
