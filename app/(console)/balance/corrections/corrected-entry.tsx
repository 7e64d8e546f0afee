"use client";

import { entryKinds } from "@/components/money/ledger-entry-columns";
import { useRead } from "@/components/queries/reads/use-read";
import { Fact } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { IdChip } from "@/components/ui/text/id-chip";
import { DateTime } from "@/components/ui/time/date-time";
import { Money } from "@/components/ui/values/money";
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
