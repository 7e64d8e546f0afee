"use client";

import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { PageHead } from "@/components/ui/page-head";
import { EntryState } from "./entry-state";
import { EntryTitle } from "./entry-view";
import { useEntry } from "./use-entry";

/** The page of a ledger entry. */
export function EntryScreen({ id, canCorrect }: { id: string; canCorrect: boolean }) {
  const read = useEntry(id);
  return (
    <>
      <PageCrumb label={id} />
      <PageHead title={read.data ? <EntryTitle entry={read.data} /> : "Ledger entry"} />
      <EntryState id={id} read={read} canCorrect={canCorrect} />
    </>
  );
}
