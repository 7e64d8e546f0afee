import { sql } from "kysely";
import { MAX_TASK_MS } from "@/lib/contract/calls/call-durations";
import { toNano } from "@/lib/money/amount";
import type { Write } from "../changes/change";
import { within } from "../changes/transactions.sql";
import { WORK_CLAIM_MS } from "../claim-times";
import type { Reads } from "../database/database";
import { isDue } from "../database/is-due";
import { openTaskText } from "../ledger/held-task";
import type { BusyTasks, ClaimedTask, TaskClaims, TaskStep } from "./task-claims";

/** Creates claims on tasks for the process `owner`. `secret` decrypts their orders. */
export function createSqliteTaskClaims(
  reads: Reads,
  write: Write,
  { owner, secret }: { owner: string; secret: Uint8Array },
): TaskClaims {
  const dueBy = (queries: Reads, nowMs: number, busy: BusyTasks) =>
    queries
      .selectFrom("tasks")
      .select("id")
      .where(isDue("due_at_ms", nowMs, MAX_TASK_MS))
      .where("id", "not in", busy.ids)
      .where(({ or, eb }) => or([eb("provider", "is", null), eb("provider", "not in", busy.providers)]))
      .where(({ or, eb }) => or([eb("provider", "is not", null), eb("model", "not in", busy.models)]))
      .where(({ or, eb }) => or([eb("claimed_by", "is", null), eb("claimed_until_ms", "<=", nowMs)]))
      .orderBy("due_at_ms")
      .orderBy("id");
  const update = async (id: string, columns: ReturnType<typeof toColumns> | { claimed_until_ms: number }) => {
    const { numUpdatedRows } = await write((transaction) =>
      within(transaction)
        .updateTable("tasks")
        .set(columns)
        .where("id", "=", id)
        .where("claimed_by", "=", owner)
        .where("ended_at_ms", "is", null)
        .executeTakeFirstOrThrow(),
    );
    return numUpdatedRows > 0n;
  };
  return {
    async claimDue(nowMs, limit, busy) {
      // Reads first: usually nothing is due, and a read blocks no writer.
      if (!(await dueBy(reads, nowMs, busy).limit(1).executeTakeFirst())) return [];
      return write(async (transaction) => {
        const queries = within(transaction);
        const claimedRows = await queries
          .updateTable("tasks")
          .set({ claimed_by: owner, claimed_until_ms: nowMs + WORK_CLAIM_MS })
          .where("id", "in", dueBy(queries, nowMs, busy).limit(limit))
          .returning("id")
          .execute();
        const rows = await select(queries)
          .where(
            "task.id",
            "in",
            claimedRows.map(({ id }) => id),
          )
          .execute();
        return rows.map((row) => toClaimed(row, secret));
      });
    },
    save: (id, step) => update(id, toColumns(step)),
    renew: (id, nowMs) => update(id, { claimed_until_ms: nowMs + WORK_CLAIM_MS }),
    async releaseOthers() {
      await write((transaction) =>
        within(transaction)
          .updateTable("tasks")
          .set({ claimed_by: null, claimed_until_ms: null })
          .where("claimed_by", "<>", owner)
          .execute(),
      );
    },
  };
}

const UNCLAIMED = { claimed_by: null, claimed_until_ms: null };

/** If the task was canceled during the work, it is due at once instead. */
function dueUnlessCanceled(dueAtMs: number) {
  return sql<number>`iif(cancel_requested_at_ms >= claimed_until_ms - ${WORK_CLAIM_MS}, min(cancel_requested_at_ms, ${dueAtMs}), ${dueAtMs})`;
}

function toColumns({ route, remoteId, dispatchedAtMs, dueAtMs, ...step }: TaskStep) {
  return {
    ...(route !== undefined && {
      provider: route?.provider ?? null,
      provider_model: route?.model ?? null,
    }),
    ...(remoteId !== undefined && { remote_id: remoteId, status: "running" as const }),
    ...(dispatchedAtMs !== undefined && {
      dispatched_at_ms: dispatchedAtMs,
      started_at_ms: dispatchedAtMs,
      status: dispatchedAtMs === null ? ("queued" as const) : ("running" as const),
    }),
    ...(step.isStateUnknown !== undefined && { is_state_unknown: Number(step.isStateUnknown) }),
    ...(step.failures !== undefined && { failures: step.failures }),
    ...(step.progress !== undefined && { progress: step.progress }),
    ...(dueAtMs !== undefined && { due_at_ms: dueUnlessCanceled(dueAtMs), ...UNCLAIMED }),
  };
}

function select(queries: Reads) {
  return queries
    .selectFrom("tasks as task")
    .innerJoin("holds as hold", "hold.task_id", "task.id")
    .select(["task.id", "task.request_id", "task.model", "task.family", "task.project_id", "input"])
    .select([
      "task.provider",
      "provider_model",
      "remote_id",
      "dispatched_at_ms",
      "is_state_unknown",
      "failures",
    ])
    .select(["task.created_at_ms", "task.deadline_at_ms", "cancel_requested_at_ms", "task.trace"])
    .select(["hold.id as hold_id", "hold.units", "hold.unit"])
    .select(sql<string>`cast(hold.amount as text)`.as("amount"))
    .select(sql<string>`cast(hold.unit_price as text)`.as("unit_price"))
    .select(sql<string>`cast(hold.rate as text)`.as("rate"));
}

type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];

function toClaimed(row: Row, secret: Uint8Array): ClaimedTask {
  const { id, provider, provider_model } = row;
  const perUnit = { unit: row.unit ?? "", amount: toNano(BigInt(row.unit_price ?? 0)) };
  return {
    id,
    requestId: row.request_id,
    model: row.model,
    family: row.family,
    input: row.input === null ? null : openTaskText(row.input, id, secret),
    route: provider === null || provider_model === null ? null : { provider, model: provider_model },
    remoteId: row.remote_id,
    dispatchedAtMs: row.dispatched_at_ms,
    isStateUnknown: row.is_state_unknown === 1,
    failures: row.failures,
    createdAtMs: row.created_at_ms,
    deadlineAtMs: row.deadline_at_ms,
    isCancelRequested: row.cancel_requested_at_ms !== null,
    receiptDetails: row.trace,
    hold: {
      id: row.hold_id,
      amount: toNano(BigInt(row.amount)),
      projectId: row.project_id,
      units: row.units ?? 0,
      price: { inputPer1m: toNano(0n), outputPer1m: toNano(0n), rate: toNano(BigInt(row.rate)), perUnit },
    },
  };
}
