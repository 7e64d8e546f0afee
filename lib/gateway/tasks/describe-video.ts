import type { Video } from "@/lib/contract/operations/tasks/videos";
import { toNullableUnixSeconds, toUnixSeconds } from "../unix-seconds";
import type { TaskRecord } from "./task-store";

const statuses = {
  queued: "queued",
  running: "in_progress",
  succeeded: "completed",
  failed: "failed",
  canceled: "failed",
} as const;
const CANCELED = { code: "canceled", message: "The task was canceled. It cost nothing." };

/** A video model's task in the form of OpenAI's API. */
export function describeVideo({ id, model, status, progress, error, settings, ...times }: TaskRecord): Video {
  const endedAt = toNullableUnixSeconds(times.endedAtMs);
  return {
    id,
    object: "video",
    model,
    status: statuses[status],
    progress: progress ?? 0,
    created_at: toUnixSeconds(times.createdAtMs),
    completed_at: status === "succeeded" ? endedAt : null,
    expires_at: null,
    seconds: settings === null || settings.seconds === null ? null : String(settings.seconds),
    size: settings?.size ?? null,
    prompt: null,
    remixed_from_video_id: null,
    error: status === "canceled" ? CANCELED : error,
  };
}
