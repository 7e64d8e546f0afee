"use client";

import { FileQuestion } from "lucide-react";
import { ReadState, type ShownRead } from "@/app/queries/read-state";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import type { LedgerEntry } from "@/lib/contract/operations/balance";
import { EntryView } from "./entry-view";

type EntryStateProps = { id: string; read: ShownRead<LedgerEntry>; mayCorrect: boolean };

/** Shows a ledger entry, or the loading or error state of its read. */
export function EntryState({ id, read, mayCorrect }: EntryStateProps) {
  return (
    <ReadState
      read={read}
      to="see this entry"
      skeleton={
        <div className="grid gap-3">
          <LoadingLabel />
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-48 w-full" />
        </div>
      }
      missing={
        <EmptyState icon={FileQuestion} title="There is no such entry">
          No ledger entry has the id <code className="font-mono break-all">{id}</code>. Check the link for
          missing characters.
        </EmptyState>
      }
    >
      {(entry) => <EntryView entry={entry} mayCorrect={mayCorrect} />}
    </ReadState>
  );
}
