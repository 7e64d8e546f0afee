"use client";

import type { ReactNode } from "react";
import { ProblemState } from "@/app/queries/problem-state";
import { useRead } from "@/app/queries/use-read";
import { Dialog } from "@/components/ui/dialog";
import { IdChip } from "@/components/ui/id-chip";
import { Money } from "@/components/ui/money";
import { RelativeTime } from "@/components/ui/relative-time";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/balance";
import { ChargeArithmetic } from "../charge-arithmetic";
import { entryKinds, nameSubject } from "../ledger-entry-columns";

const bases: Record<NonNullable<LedgerEntry["basis"]>, string> = {
  reported: "The provider reported this usage.",
  estimated: "The provider reported no usage that could be charged; the gateway counted what came.",
  interrupted: "The gateway stopped before the call ended; this is what is known to have been generated.",
};

type EntryDialogProps = {
  id: string;
  /** Absent where the address names an entry that isn’t loaded: it is then asked for. */
  listed: LedgerEntry | undefined;
  close: () => void;
};

/** One entry of the ledger with everything that makes its amount, whether or not the list shows it. */
export function EntryDialog({ id, listed, close }: EntryDialogProps) {
  const read = useRead("retrieveLedgerEntry", { entry_id: id }, { enabled: listed === undefined });
  const entry = listed ?? read.data;
  if (entry) return <EntryDrawer entry={entry} close={close} />;
  if (read.error?.problem.code === "not_found") {
    return (
      <Dialog open onClose={close} title="There is no such entry">
        No ledger entry has the id <code className="font-mono break-all">{id}</code>. Check the link for
        missing characters.
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={close} place="right" title="Ledger entry">
      {read.error ? (
        <ProblemState problem={read.error.problem} to="see this entry" retry={() => void read.refetch()} />
      ) : (
        <div className="grid gap-3">
          <LoadingLabel />
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-48 w-full" />
        </div>
      )}
    </Dialog>
  );
}

function EntryDrawer({ entry, close }: { entry: LedgerEntry; close: () => void }) {
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
            <RelativeTime at={entry.created_at} withExact />
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
              <IdChip id={entry.request_id} what="request id" />{" "}
              <TextLink href={paths.request(entry.request_id)}>Receipt</TextLink>
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
