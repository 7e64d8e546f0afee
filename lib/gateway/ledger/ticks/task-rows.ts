import { sealReply } from "../../idempotency/idempotent-replies.sql";
import { type HoldDraft, type Release, sealTaskText, type TaskDraft, type TaskEnd } from "../funds";
import type { End, TaskRow } from "./tick";

export interface Sealing {
  readonly key: Uint8Array;
  random(bytes: number): Uint8Array;
}

/** A task whose creator was refused although its hold was stored. */
const NEVER_BEGUN: TaskEnd = {
  status: "failed",
  error: { code: "store_unavailable", message: "The gateway refused this task before it began." },
  outputs: [],
};

/** A task's row, stored with its hold, and the reply that is stored with its key. */
export function sealTask(
  hold: HoldDraft,
  task: TaskDraft,
  sealing: Sealing,
): { readonly task: TaskRow; readonly taskReply: string | null } {
  const { id, family, input, settings, callbackUrl, receiptDetails, reply } = task;
  const row = {
    id,
    request_id: hold.requestId,
    project_id: hold.projectId,
    key_id: hold.keyId,
    model: hold.model,
    family,
    input: sealTaskText(input, id, sealing),
    callback_url: callbackUrl === null ? null : sealTaskText(callbackUrl, id, sealing),
    callback_receiver: callbackUrl === null ? null : new URL(callbackUrl).origin,
    settings,
    trace: receiptDetails,
    created_at_ms: hold.createdAtMs,
    deadline_at_ms: hold.deadlineAtMs,
    due_at_ms: hold.createdAtMs,
  };
  return { task: row, taskReply: hold.idempotency ? sealReply(reply, hold.idempotency, sealing) : null };
}

export function describeUncharged(hold: HoldDraft, end: Release["end"]): Readonly<Record<string, unknown>> {
  return {
    id: hold.requestId,
    at_ms: hold.createdAtMs,
    project_id: hold.projectId,
    key_id: hold.keyId,
    model: hold.model,
    stream: Number(end.stream),
    outcome: end.outcome,
    status: end.status,
    held: String(hold.amount),
    estimated_tokens: end.estimatedTokens,
    first_byte_ms: end.firstByteMs,
    duration_ms: end.durationMs,
    provider: end.provider,
    trace: end.receiptDetails,
    batch_id: hold.batchId ?? null,
  };
}

export function describeTaskEnd(
  { taskId }: HoldDraft,
  atMs: number,
  end: TaskEnd = NEVER_BEGUN,
): End["taskEnd"] {
  if (taskId === undefined) return null;
  const { status, error, outputs } = end;
  return {
    id: taskId,
    status,
    ended_at_ms: atMs,
    error: error && JSON.stringify(error),
    outputs: JSON.stringify(outputs),
  };
}
