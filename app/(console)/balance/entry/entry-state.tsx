"use client";

import { CorrectedEntry, EntryCorrections } from "@/app/(console)/balance/corrections/entry-corrections";
import { ChargeArithmetic } from "@/components/money/charge-arithmetic";
import { entryKinds, nameSubject } from "@/components/money/ledger-entry-columns";
import { DetailState, Id } from "@/components/object-page/detail-state";
import { useRead } from "@/components/queries/reads/use-read";
import type { ShownRead } from "@/components/queries/states/read-state";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { ListDrawer } from "@/components/ui/drawer/list-drawer";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { PageHead } from "@/components/ui/page";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { writeDate } from "@/components/ui/time/write-date";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { formatAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";

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

const bases: Record<NonNullable<LedgerEntry["basis"]>, string> = {
  reported: "The provider reported this usage.",
  estimated: "The provider reported no usable usage, so the gateway counted the received output.",
  interrupted: "The gateway stopped before the call ended. This is the output known to have been generated.",
};

const accounts: Record<string, string> = {
  balance: "Balance",
  payments: "Payments received",
  charges: "Charges for calls",
  provider_variance: "Provider variance",
};

export function EntryTitle({ entry }: { entry: LedgerEntry }) {
  return (
    <>
      {entryKinds[entry.kind]} of <Money amount={entry.amount} currency={entry.currency} />
    </>
  );
}

/** Shows an entry's arithmetic, the two accounts it posts to, the balance before and after, and who caused it. */
function EntryView({ entry, canCorrect }: { entry: LedgerEntry; canCorrect: boolean }) {
  return (
    <div className="grid max-w-2xl gap-6">
      <ChargeArithmetic entry={entry} />
      <Part title="Accounts">
        <Booking entry={entry} />
      </Part>
      <EntryCorrections entry={entry} canCorrect={canCorrect} />
      <Part title="Entry">
        <EntryFacts entry={entry} />
      </Part>
    </div>
  );
}

/** Both sides of the posting, and the balance before and after it. */
function Booking({ entry }: { entry: LedgerEntry }) {
  const { amount, balance_after: after, balance_change: change, currency } = entry;
  const before = after && formatAmount(toNano(parseCheckedAmount(after) - parseCheckedAmount(change)));
  return (
    <table className="w-full border-y [&_td]:py-1.5 [&_td]:text-right [&_th]:py-1.5 [&_th]:text-left [&_th]:font-normal">
      <caption className="sr-only">The accounts this entry moves, in {currency}</caption>
      <tbody>
        <Side account={entry.from_account} amount={`-${amount}`} />
        <Side account={entry.to_account} amount={amount} />
        {before && after && (
          <tr className="border-t">
            <th scope="row" className="text-muted">
              Balance before and after
            </th>
            <td>
              <Money amount={before} /> <span aria-hidden>→</span> <span className="sr-only">to</span>{" "}
              <Money amount={after} currency={currency} />
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function Side({ account, amount }: { account: string; amount: string }) {
  return (
    <tr>
      <th scope="row">
        {accounts[account] ?? account} <code className="ml-1 font-mono text-sm text-muted">{account}</code>
      </th>
      <td>
        <Money amount={amount} isSigned />
      </td>
    </tr>
  );
}

function EntryFacts({ entry }: { entry: LedgerEntry }) {
  const { basis, corrects, id, note, paid_on, reason, request_id, batch_id } = entry;
  const { project_id, project_name, key_id, key_name } = entry;
  return (
    <Facts>
      {corrects && <CorrectedEntry id={corrects} />}
      {reason && <Fact name="Reason">{reason}</Fact>}
      {!corrects && <Fact name="For">{nameSubject(entry)}</Fact>}
      {note && <Fact name="Note">{note}</Fact>}
      {paid_on && <Fact name="Paid on">{writeDate(paid_on)}</Fact>}
      <Fact name={paid_on ? "Recorded" : "When"}>
        <RelativeTime at={entry.created_at} withExact />
      </Fact>
      {basis && <Fact name="Usage">{bases[basis]}</Fact>}
      {request_id && (
        <Fact name="Call">
          <IdChip id={request_id} what="request id" />{" "}
          <TextLink className="print:hidden" href={paths.request(request_id)}>
            Receipt
          </TextLink>
        </Fact>
      )}
      {batch_id && (
        <Fact name="Batch">
          <IdChip id={batch_id} what="batch id" />{" "}
          <TextLink className="print:hidden" href={paths.batch(batch_id)}>
            View batch
          </TextLink>
        </Fact>
      )}
      {project_id && (
        <Fact name="Project">
          {project_name ? (
            <TextLink href={paths.project(project_id)}>{project_name}</TextLink>
          ) : (
            <IdChip id={project_id} what="project id" />
          )}
        </Fact>
      )}
      {key_id && (
        <Fact name={key_id.startsWith("user_") ? "Member" : "Key"}>
          {key_name ?? <IdChip id={key_id} what="key id" />}{" "}
          <TextLink className="print:hidden" href={paths.balance({ key_id })}>
            View entries
          </TextLink>
        </Fact>
      )}
      <Fact name="Entry">
        <IdChip id={id} what="entry id" />
      </Fact>
    </Facts>
  );
}

/** Uses the entry from the list if present, since entries never change. Otherwise fetches it. */
export function useEntry(id: string, listed?: LedgerEntry) {
  const read = useRead("retrieveLedgerEntry", { entry_id: id }, { enabled: listed === undefined });
  return { ...read, data: listed ?? read.data };
}

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
