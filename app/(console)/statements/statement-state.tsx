import { CircleDot, Lock } from "lucide-react";
import { Status } from "@/components/ui/status";
import type { StatementHead } from "@/lib/contract/operations/money/statements";

const styles = {
  current: { tone: "neutral", icon: CircleDot, label: "In progress" },
  open: { tone: "near", label: "Not closed" },
  closed: { tone: "good", icon: Lock, label: "Closed" },
} as const;

/** A month's state as a badge. */
export function StatementState({ state }: Pick<StatementHead, "state">) {
  const { label, ...style } = styles[state];
  return <Status {...style}>{label}</Status>;
}
