"use client";

import { entryKinds } from "@/app/ledger/ledger-entry-columns";
import { useRead } from "@/app/queries/reads/use-read";
import { TextLink } from "@/components/links/text-link";
import { IdChip } from "@/components/text/id-chip";
import { DateTime } from "@/components/time/date-time";
import { Fact } from "@/components/ui/facts";
import { Money } from "@/components/values/money";
import { paths } from "@/lib/console/paths";

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
