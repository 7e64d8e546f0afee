import { Ban, CircleDotDashed, Hourglass, type LucideIcon } from "lucide-react";
import { Status, type Tone } from "@/components/ui/status";
import type { Batch } from "@/lib/contract/operations/tasks/batches";

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
