import type { Task } from "@/lib/contract/operations/tasks/task";
import { formatAmount } from "@/lib/money/amount";
import { PARTS_PER_UNIT } from "@/lib/money/charge";
import { toNullableUnixSeconds, toUnixSeconds } from "../unix-seconds";
import type { TaskRecord } from "./task-store";

/** A task as the API and callbacks show it. */
export function describeTask(task: TaskRecord, currency: string): Task {
  const {
    id,
    requestId,
    projectId,
    model,
    family,
    status,
    progress,
    error,
    files,
    charged: chargedUnits,
  } = task;
  return {
    id,
    object: "task",
    model,
    status,
    created: toUnixSeconds(task.createdAtMs),
    request_id: requestId,
    project_id: projectId,
    family,
    progress,
    started_at: toNullableUnixSeconds(task.startedAtMs),
    ended_at: toNullableUnixSeconds(task.endedAtMs),
    cancel_requested: task.isCancelRequested,
    provider_state: task.isStateUnknown ? "unknown" : "known",
    usage: chargedUnits && {
      unit: chargedUnits.unit,
      quantity: chargedUnits.units / PARTS_PER_UNIT,
      amount: formatAmount(chargedUnits.amount),
      currency,
    },
    error,
    output: files.map(({ type, mimeType, bytes }, position) => ({
      type,
      mime_type: mimeType,
      bytes,
      url: task.areFilesDeleted ? null : `/v1/tasks/${id}/output/${position}`,
    })),
  };
}
