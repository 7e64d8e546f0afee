import { CircleDot, Lock } from "lucide-react";
import { Status } from "@/components/ui/status";
import type { StatementHead } from "@/lib/contract/operations/statements";

const styles = {
  current: { tone: "neutral", icon: CircleDot, words: "In progress" },
  open: { tone: "near", words: "Not closed" },
  closed: { tone: "good", icon: Lock, words: "Closed" },
} as const;

/** A month's state as a badge. */
export function StatementState({ state }: Pick<StatementHead, "state">) {
  const { words, ...style } = styles[state];
  return <Status {...style}>{words}</Status>;
}
