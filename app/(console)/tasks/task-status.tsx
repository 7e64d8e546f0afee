import { Ban, CircleDashed, CircleDotDashed, type LucideIcon } from "lucide-react";
import { Status, type Tone } from "@/components/ui/status";
import { SnippetTabs } from "@/components/ui/text/snippet-tabs";
import { pythonVerifier, typescriptVerifier } from "@/lib/console/snippets/api-snippets";
import type { Task } from "@/lib/contract/operations/tasks/task";

type Look = { label: string; tone: Tone; icon?: LucideIcon };

export const taskStatusStyles: Record<Task["status"], Look> = {
  queued: { label: "Queued", tone: "neutral", icon: CircleDashed },
  running: { label: "Running", tone: "neutral", icon: CircleDotDashed },
  succeeded: { label: "Succeeded", tone: "good" },
  failed: { label: "Failed", tone: "bad" },
  canceled: { label: "Canceled", tone: "neutral", icon: Ban },
};

type TaskStatusProps = { task: Pick<Task, "status" | "progress" | "ended_at" | "cancel_requested"> };

/** A task's status, with its progress if the provider reports it. */
export function TaskStatus({ task }: TaskStatusProps) {
  const { label, tone, icon } = taskStatusStyles[task.status];
  const isUnderWay = task.ended_at === null;
  const shown = isUnderWay && task.cancel_requested ? "Canceling" : label;
  return (
    <Status tone={tone} {...(icon && { icon })}>
      <span className="tabular-nums">
        {isUnderWay && task.progress !== null ? `${shown} ${task.progress} %` : shown}
      </span>
    </Status>
  );
}

const verifiers = [
  { id: "typescript", label: "TypeScript", code: typescriptVerifier },
  { id: "python", label: "Python", code: pythonVerifier },
];

/** Programs with which a receiver checks a callback's signature. */
export function SignatureCheck() {
  return <SnippetTabs label="Check a signature" snippets={verifiers} />;
}
