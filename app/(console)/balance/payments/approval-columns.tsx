import { TextLink } from "@/components/ui/links/text-link";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { writeDate } from "@/components/ui/time/write-date";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";
import { DecidePayment } from "./decide-payment";

const states = {
  pending: { tone: "near", label: "Waits for approval" },
  approved: { tone: "good", label: "Approved" },
  declined: { tone: "bad", label: "Declined" },
} as const;

type Viewer = { currency: string | undefined; canDecide: boolean };

export function approvalColumns({ currency, canDecide }: Viewer): readonly Column<PendingPayment>[] {
  return [
    { id: "reference", header: "Reference", cell: (payment) => <Subject payment={payment} /> },
    {
      id: "amount",
      header: "Amount",
      unit: currency,
      numeric: true,
      phone: "end",
      amount: ({ amount }) => amount,
      cell: ({ amount, sets_approval }) =>
        !sets_approval && (
          <span className="font-medium">
            <Money amount={amount} />
          </span>
        ),
    },
    {
      id: "recorded",
      header: "Recorded",
      cell: ({ recorded_by, created_at }) => (
        <span>
          {recorded_by.name} <RelativeTime at={created_at} />
        </span>
      ),
    },
    {
      id: "state",
      header: "State",
      cell: ({ status, decided_by, reason }) => (
        <span className="grid">
          <Status tone={states[status].tone}>{states[status].label}</Status>
          {decided_by && (
            <span className="text-sm text-muted">
              by {decided_by.name}
              {reason && `: ${reason}`}
            </span>
          )}
        </span>
      ),
    },
    ...(canDecide
      ? [
          {
            id: "actions",
            header: "Actions",
            numeric: true,
            cell: (payment: PendingPayment) =>
              payment.status === "pending" && <DecidePayment payment={payment} />,
          },
        ]
      : []),
  ];
}

/** What the payment or correction is for. */
function Subject({ payment }: { payment: PendingPayment }) {
  const { reference, note, paid_on, corrects, correction_reason, sets_approval, currency } = payment;
  if (sets_approval)
    return sets_approval.above === null ? (
      "No payment needs approval"
    ) : (
      <span>
        Approval above <Money amount={sets_approval.above} currency={currency} />
      </span>
    );
  return (
    <span className="grid">
      {corrects ? (
        <>
          <TextLink href={paths.ledgerEntry(corrects)}>Correction of an entry</TextLink>
          <span className="text-sm whitespace-normal text-muted">{correction_reason}</span>
        </>
      ) : (
        (reference ?? <span className="text-muted">none</span>)
      )}
      {note && <span className="text-sm whitespace-normal text-muted">{note}</span>}
      {paid_on && <span className="text-sm text-muted">Paid on {writeDate(paid_on)}</span>}
    </span>
  );
}
