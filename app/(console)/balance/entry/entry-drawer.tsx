"use client";

import { ListDrawer } from "@/components/ui/drawer/list-drawer";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { EntryState } from "./entry-state";
import { EntryTitle } from "./entry-view";
import { useEntry } from "./use-entry";

type EntryDrawerProps = {
  id: string;
  /** The ids of the list's entries, in their order. */
  ids: readonly string[];
  /** Undefined if the list hasn't loaded the entry. The drawer then fetches it. */
  listed: LedgerEntry | undefined;
  canCorrect: boolean;
  /** Shows another entry. "" closes the drawer. */
  show: (id: string) => void;
};

/** Shows an entry next to its list. */
export function EntryDrawer({ id, ids, listed, canCorrect, show }: EntryDrawerProps) {
  const read = useEntry(id, listed);
  const title = read.data ? <EntryTitle entry={read.data} /> : "Ledger entry";
  return (
    <ListDrawer id={id} ids={ids} show={show} noun="entry" href={paths.ledgerEntry(id)} title={title}>
      <EntryState id={id} read={read} canCorrect={canCorrect} />
    </ListDrawer>
  );
}
