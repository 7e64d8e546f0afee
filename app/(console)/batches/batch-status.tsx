import { Ban, CircleDotDashed, Hourglass, type LucideIcon } from "lucide-react";
import { Status, type Tone } from "@/components/ui/status";
import { describeWait } from "@/components/ui/values/describe-latency";
import { formatCount } from "@/components/ui/values/group-digits";
import { type RateLimitField, rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import type { Batch, BatchWait } from "@/lib/contract/operations/tasks/batches";

type Look = { label: string; tone: Tone; icon?: LucideIcon };

export const batchStatusStyles: Record<Batch["status"], Look> = {
  in_progress: { label: "In progress", tone: "neutral", icon: CircleDotDashed },
  cancelling: { label: "Canceling", tone: "neutral", icon: CircleDotDashed },
  completed: { label: "Completed", tone: "good" },
  expired: { label: "Expired", tone: "near", icon: Hourglass },
  cancelled: { label: "Canceled", tone: "neutral", icon: Ban },
};

export function BatchStatus({ batch: { status, finalizing_at: endedAt, request_counts } }: { batch: Batch }) {
  const { label, tone, icon } = batchStatusStyles[status];
  const { total, completed, failed } = request_counts;
  // Amber: it did end, and somebody should look at why.
  const endsWithFailures = status === "completed" && failed > 0;
  const percent = Math.floor((100 * (completed + failed)) / total);
  return (
    <Status tone={endsWithFailures ? "near" : tone} {...(icon && { icon })}>
      <span className="tabular-nums">{endedAt === null ? `${label} ${percent} %` : label}</span>
    </Status>
  );
}

/** Returns text such as `1 line`, `1,204 lines`. */
export function countLines(lines: number): string {
  return `${formatCount(lines)} ${lines === 1 ? "line" : "lines"}`;
}

/** The number of lines that have no answer yet. */
export function countLinesLeft({ request_counts: { total, completed, failed } }: Batch): number {
  return Math.max(0, total - completed - failed);
}

/** Describes a batch's state in a sentence. */
export function describeBatch(batch: Batch): string {
  const { status, request_counts } = batch;
  const left = countLinesLeft(batch);
  if (status === "in_progress") return `${countLines(left)} left. Each is charged when it is answered.`;
  if (status === "cancelling") return "Lines in progress are completed. No other lines are started.";
  if (status === "cancelled")
    return `It was canceled. ${countLines(left)} ${left === 1 ? "was" : "were"} never started, and cost nothing. Answered lines stay in the results.`;
  if (status === "expired")
    return `Its 24 hours ended. ${countLines(left)} had no answer by then, and cost nothing.`;
  if (request_counts.failed === 0) return "Every line was answered.";
  return `Every line has a result; ${countLines(request_counts.failed)} failed.`;
}

const otherWaits: Record<Exclude<BatchWait, RateLimitField>, string> = {
  balance: "the balance: it doesn’t cover the next line",
  spend_limit: "the spend limit, which is used up",
  concurrency: "room: too many calls are in progress",
  live_calls: "live calls, which go first",
  provider: "the provider, which is failing or busy",
};

/** Returns what the lines wait for. Completes "Waits for …". */
export function describeBatchWait(reason: BatchWait): string {
  if (reason in rateLimitTable) {
    const { label } = rateLimitTable[reason as RateLimitField].words;
    return `the limit on ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  }
  return otherWaits[reason as keyof typeof otherWaits];
}

/**
 * Returns the remaining time at the current speed, such as "≈ 2 min 05 s left"; null if no line was answered recently.
 */
export function describeTimeLeft(batch: Batch): string | null {
  const { pace } = batch;
  if (!pace || pace.lines_per_minute === 0) return null;
  return `≈ ${describeWait(Math.ceil((60 * countLinesLeft(batch)) / pace.lines_per_minute))} left`;
}
