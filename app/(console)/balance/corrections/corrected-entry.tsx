"use client";

import { useRead } from "@/app/queries/use-read";
import { DateTime } from "@/components/ui/date-time";
import { Fact } from "@/components/ui/facts";
import { IdChip } from "@/components/ui/id-chip";
import { Money } from "@/components/ui/money";
import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";
import { entryKinds } from "../ledger-entry-columns";

/** Names the entry that a correction corrects, with a link to it. */
export function CorrectedEntry({ id }: { id: string }) {
  const entry = useRead("retrieveLedgerEntry", { entry_id: id }).data;
  return (
    <Fact name="Corrects">
      {entry ? (
        <>
          <TextLink href={paths.ledgerEntry(id)}>
            {entryKinds[entry.kind]} of <Money amount={entry.amount} currency={entry.currency} />
          </TextLink>
          <span className="block text-sm text-muted">
            {entry.reference && `“${entry.reference}”, `}
            <DateTime at={entry.created_at} />
          </span>
        </>
      ) : (
        <IdChip id={id} what="entry id" />
      )}
    </Fact>
  );
}
