"use client";

import type { ReactNode } from "react";
import { Dialog } from "@/components/ui/dialog";
import { IdChip } from "@/components/ui/id-chip";
import { Money } from "@/components/ui/money";
import { RelativeTime } from "@/components/ui/relative-time";
import type { LedgerEntry } from "@/lib/contract/operations/balance";
import { entryKinds, nameSubject } from "../ledger-entry-columns";
import { ChargeArithmetic } from "./charge-arithmetic";

const bases: Record<NonNullable<LedgerEntry["basis"]>, string> = {
  reported: "The provider reported this usage.",
  estimated: "The provider reported no usage that could be charged; the gateway counted what came.",
  interrupted: "The gateway stopped before the call ended; this is what is known to have been generated.",
};

type EntryDialogProps = {
  /** Absent where the address names an entry that isn’t loaded. */
  entry: LedgerEntry | undefined;
  close: () => void;
};

/** One entry of the ledger with everything that makes its amount. */
export function EntryDialog({ entry, close }: EntryDialogProps) {
  if (!entry) {
    return (
      <Dialog open onClose={close} title="This entry is not in the list">
        It may be further down, or left out by the filters. Clear the filters or load more.
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={close}
      place="right"
      title={
        <>
          {entryKinds[entry.kind]} of <Money amount={entry.amount} currency={entry.currency} />
        </>
      }
    >
      <div className="grid gap-6">
        <ChargeArithmetic entry={entry} />
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
          <Fact name="For">{nameSubject(entry)}</Fact>
          <Fact name="When">
            <RelativeTime at={entry.created_at} />
          </Fact>
          <Fact name="Moved">
            from <code className="font-mono text-sm">{entry.from_account}</code> to{" "}
            <code className="font-mono text-sm">{entry.to_account}</code>
          </Fact>
          <Fact name="Balance">
            <Money amount={entry.balance_change} currency={entry.currency} signed />
          </Fact>
          {entry.basis && <Fact name="Usage">{bases[entry.basis]}</Fact>}
          <Fact name="Entry">
            <IdChip id={entry.id} what="entry id" />
          </Fact>
          {entry.request_id && (
            <Fact name="Request">
              <IdChip id={entry.request_id} what="request id" />
            </Fact>
          )}
          {entry.project_id && (
            <Fact name="Project">
              <IdChip id={entry.project_id} what="project id" />
            </Fact>
          )}
          {entry.key_id && (
            <Fact name="Key">
              <IdChip id={entry.key_id} what="key id" />
            </Fact>
          )}
        </dl>
      </div>
    </Dialog>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
