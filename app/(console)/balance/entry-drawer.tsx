"use client";

import { ListDrawer } from "@/components/table/list-drawer";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/balance";
import { EntryState } from "./entry-state";
import { EntryTitle } from "./entry-view";
import { useEntry } from "./use-entry";

type EntryDrawerProps = {
  id: string;
  /** The entries of the list, in its order. */
  ids: readonly string[];
  /** Absent where the address names an entry that isn’t loaded: it is then asked for. */
  listed: LedgerEntry | undefined;
  /** Shows another entry, or none: "". */
  show: (id: string) => void;
};

/** An entry beside the list it was opened from. */
export function EntryDrawer({ id, ids, listed, show }: EntryDrawerProps) {
  const read = useEntry(id, listed);
  const title = read.data ? <EntryTitle entry={read.data} /> : "Ledger entry";
  return (
    <ListDrawer id={id} ids={ids} show={show} noun="entry" href={paths.ledgerEntry(id)} title={title}>
      <EntryState id={id} read={read} />
    </ListDrawer>
  );
}
