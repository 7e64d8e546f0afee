import { sql } from "kysely";
import type { MediaFamily } from "@/lib/contract/calls/model-families";
import { MAX_TASK_MS } from "@/lib/contract/durations";
import { type Nano, toNano } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import type { Write } from "../changes/change";
import { within } from "../changes/transactions.sql";
import { WORK_CLAIM_MS } from "../claim-times";
import type { Reads } from "../database/database";
import { isDue } from "../database/is-due";
import { openTaskText } from "../ledger/funds";

/** A task with everything that its worker needs. */
export interface ClaimedTask {
  readonly id: string;
  readonly requestId: string;
  readonly model: string;
  readonly family: MediaFamily;
  /** JSON; null if it can no longer be decrypted. */
  readonly input: string | null;
  /** The provider it was sent to, and the model's name there; null before that. */
  readonly route: { readonly provider: string; readonly model: string } | null;
  /** The provider's own id for it; null before the provider has replied. */
  readonly remoteId: string | null;
  /** When its dispatch was stored, just before it was sent; null before that. */
  readonly dispatchedAtMs: number | null;
  readonly isStateUnknown: boolean;
  readonly failures: number;
  readonly createdAtMs: number;
  readonly deadlineAtMs: number;
  readonly isCancelRequested: boolean;
  /** The receipt details of the call that made it. */
  readonly receiptDetails: string | null;
  readonly hold: TaskHold;
}

/** The hold for a task's cost. */
interface TaskHold {
  readonly id: string;
  readonly amount: Nano;
  readonly projectId: string;
  /** Millionths of the price's unit. */
  readonly units: number;
  readonly price: PriceSnapshot;
}

/** A task's progress. Absent fields stay as they are. */
export interface TaskStep {
  readonly route?: ClaimedTask["route"];
  readonly remoteId?: string;
  readonly dispatchedAtMs?: number | null;
  readonly isStateUnknown?: boolean;
  readonly failures?: number;
  readonly progress?: number | null;
  /** When to look at it again; saving it ends the claim. Absent while work goes on. */
  readonly dueAtMs?: number;
}

/** The tasks that must wait. */
export interface BusyTasks {
  /**
   * Tasks that this process is working on. They are never claimed, even if their claims expired while the machine
   * slept.
   */
  readonly ids: readonly string[];
  /** Tasks that were sent to these providers. */
  readonly providers: readonly string[];
  /** Tasks of these models that were sent to no provider yet. */
  readonly models: readonly string[];
}

/** Which process works on which task. Only one process has a claim at a time, and claims expire in case it dies. */
export type TaskClaims = ReturnType<typeof createTaskClaims>;

/** Creates claims on tasks for the process `owner`. `secret` decrypts their orders. */
export function createTaskClaims(
  reads: Reads,
  write: Write,
  { owner, secret }: { owner: string; secret: Uint8Array },
) {
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
    /** Claims due tasks that no other process has claimed and that aren't busy, the longest due first. */
    async claimDue(nowMs: number, limit: number, busy: BusyTasks): Promise<ClaimedTask[]> {
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
    /** @returns false, with nothing stored, if another process has the claim or the task has ended. */
    save: (id: string, step: TaskStep): Promise<boolean> => update(id, toColumns(step)),
    /** Extends the claim. @returns false if another process has it or the task has ended. */
    renew: (id: string, nowMs: number): Promise<boolean> =>
      update(id, { claimed_until_ms: nowMs + WORK_CLAIM_MS }),
    /** Ends all other processes' claims. Call it only while no other process runs. */
    async releaseOthers(): Promise<void> {
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
  return sql<number>`CASE WHEN cancel_requested_at_ms >= claimed_until_ms - ${WORK_CLAIM_MS} AND cancel_requested_at_ms < ${dueAtMs}
    THEN cancel_requested_at_ms ELSE ${dueAtMs} END`;
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
