import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";

export type RecordedPayment = LedgerEntry | PendingPayment;

/** The result of recording a payment: the money is available, or the payment waits for approval. */
export function RecordedNotice({ recorded }: { recorded: RecordedPayment }) {
  const amount = (
    <>
      <Money amount={recorded.amount} currency={recorded.currency} />
      {recorded.reference && ` as “${recorded.reference}”`}
    </>
  );
  if (recorded.object === "ledger_entry") {
    return (
      <Notice tone="good" role="status" title="Payment recorded">
        {amount}. It can be spent now.
      </Notice>
    );
  }
  return (
    <Notice
      tone="near"
      role="status"
      title="Payment waits for approval"
      actions={<TextLink href={paths.payments()}>View pending payments</TextLink>}
    >
      {amount}. Another member approves it; it can’t be spent before.
    </Notice>
  );
}
