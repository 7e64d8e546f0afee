import { describeWait } from "@/components/ui/values/describe-latency";
import type { Task } from "@/lib/contract/operations/tasks/task";

/** Formats how long a task ran; null if it hasn't ended or never started. */
export function describeRunTime({ started_at, ended_at }: Task): string | null {
  if (started_at === null || ended_at === null) return null;
  const seconds = ended_at - started_at;
  return seconds < 1 ? "under 1 s" : describeWait(seconds);
}

const familyTitles = { image: "Image task", video: "Video task", music: "Music task" } as const;

export function describeFamily({ family }: Pick<Task, "family">): string {
  return familyTitles[family];
}

/** Describes a task's outcome in a sentence. */
export function describeTask({ status, error, cancel_requested, ended_at }: Task): string {
  if (ended_at === null && cancel_requested)
    return "The provider is being asked to stop. It costs nothing unless it has already finished.";
  if (status === "queued") return "It is waiting to be sent to its provider. Its maximum cost is on hold.";
  if (status === "running") return "The provider is working on it. Its maximum cost is on hold.";
  if (status === "canceled") return "It was canceled before it was finished, and cost nothing.";
  if (status === "failed") return error?.message ?? "It failed.";
  return "The output is ready and has been charged.";
}
