"use client";

import { DetailState, Id } from "@/components/object-page/detail-state";
import type { ShownRead } from "@/components/queries/states/read-state";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { EntryView } from "./entry-view";

type EntryStateProps = { id: string; read: ShownRead<LedgerEntry>; canCorrect: boolean };

/** Shows a ledger entry, or the loading or error state of its read. */
export function EntryState({ id, read, canCorrect }: EntryStateProps) {
  return (
    <DetailState
      id={id}
      read={read}
      noun="entry"
      list={{ href: paths.balance(), label: "View the ledger" }}
      missing={
        <>
          No ledger entry has the id <Id>{id}</Id>. Check the link for missing characters.
        </>
      }
    >
      {(entry) => <EntryView entry={entry} canCorrect={canCorrect} />}
    </DetailState>
  );
}
