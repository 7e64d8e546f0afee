import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { PaymentImport } from "@/lib/contract/operations/money/payment-import";
import { formatAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";
import { countPayments } from "./plan-import";

/** The result of an import. */
export function ImportNotice({ made: { payments, repeated, currency } }: { made: PaymentImport }) {
  const recorded = payments.filter(({ object }) => object === "ledger_entry");
  const waiting = payments.filter(({ object }) => object === "pending_payment");
  const links = (
    <>
      {recorded.length > 0 && (
        <TextLink href={paths.balance({ kind: "payment" })}>View payments in the ledger</TextLink>
      )}
      {waiting.length > 0 && <TextLink href={paths.payments()}>View pending payments</TextLink>}
    </>
  );
  if (repeated) {
    return (
      <Notice tone="near" role="status" title="Nothing was recorded again" actions={links}>
        Your first attempt recorded these payments, although its answer didn’t arrive.
      </Notice>
    );
  }
  return (
    <Notice
      tone={recorded.length > 0 ? "good" : "near"}
      role="status"
      title={
        recorded.length > 0
          ? `${countPayments(recorded.length)} recorded`
          : `${countPayments(waiting.length)} ${waiting.length === 1 ? "waits" : "wait"} for approval`
      }
      actions={links}
    >
      {recorded.length > 0 && (
        <>
          <Sum payments={recorded} currency={currency} /> can be spent now.{" "}
        </>
      )}
      {waiting.length > 0 && (
        <>
          <Sum payments={waiting} currency={currency} />
          {recorded.length > 0 && ` in ${countPayments(waiting.length)}`} can be spent once another member
          approves {waiting.length === 1 ? "it" : "them"}.
        </>
      )}
    </Notice>
  );
}

function Sum({ payments, currency }: { payments: PaymentImport["payments"]; currency: string }) {
  const sum = payments.reduce((total, { amount }) => total + parseCheckedAmount(amount), 0n);
  return <Money amount={formatAmount(toNano(sum))} currency={currency} />;
}
