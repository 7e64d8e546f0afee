"use client";

import { CircleDot, FileQuestion, Lock } from "lucide-react";
import type { ReactNode } from "react";
import { ReadState, type ShownRead } from "@/components/queries/states/read-state";
import { LinkButton } from "@/components/ui/links/link-button";
import { EmptyState } from "@/components/ui/states/empty-state";
import { Status } from "@/components/ui/status";
import { paths } from "@/lib/console/paths";
import type { Statement, StatementHead } from "@/lib/contract/operations/money/statements";
import { StatementSkeleton } from "./statement-skeleton";

type StatementReadProps = {
  read: ShownRead<Statement>;
  /** The month, in words. */
  month: string;
  children: (statement: Statement) => ReactNode;
};

/** A statement, or the loading or error state of its read. */
export function StatementRead({ read, month, children }: StatementReadProps) {
  return (
    <ReadState
      read={read}
      to="see this statement"
      skeleton={<StatementSkeleton />}
      missing={<UnknownStatement month={month} />}
    >
      {children}
    </ReadState>
  );
}

/** Stands in place of the statement of a month that has none. */
export function UnknownStatement({ month }: { month: string }) {
  return (
    <EmptyState
      icon={FileQuestion}
      title={`There is no statement of ${month}`}
      action={<LinkButton href={paths.statements()}>Open statements</LinkButton>}
    >
      Statements begin with the month of the first ledger entry, and the present month has the last one.
    </EmptyState>
  );
}

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
