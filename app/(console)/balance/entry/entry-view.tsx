import { ChargeArithmetic } from "@/components/money/charge-arithmetic";
import { entryKinds, nameSubject } from "@/components/money/ledger-entry-columns";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { writeDate } from "@/components/ui/time/write-date";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { formatAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";
import { CorrectedEntry } from "../corrections/corrected-entry";
import { EntryCorrections } from "../corrections/entry-corrections";

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
export function EntryView({ entry, canCorrect }: { entry: LedgerEntry; canCorrect: boolean }) {
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
