"use client";

import { useState } from "react";
import { WaitingRequests } from "@/components/access-requests/waiting-requests";
import { ApprovalCard } from "@/components/money/payments/approval-card";
import { approvePayment } from "@/components/money/payments/payment-actions";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import { capitalize } from "@/components/ui/text/capitalize";
import { DateTime } from "@/components/ui/time/date-time";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { writeDate } from "@/components/ui/time/write-date";
import { formatDecimal } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";
import { describePayment } from "./describe-payment";
import { PaymentList } from "./payment-list";
import { pendingRead } from "./payment-reads";

const POLL_MS = 15_000;

type ApprovalsProps = { canDecide: boolean; canConfigure: boolean };

/** All payments, with those that wait for a second person and what others ask for. */
export function PaymentsTab(props: ApprovalsProps) {
  return (
    <div className="grid gap-10">
      <Approvals {...props} />
      <PaymentList />
    </div>
  );
}

/** What others ask for, the approval rule, and what waits or waited for a second person. */
function Approvals({ canDecide, canConfigure }: ApprovalsProps) {
  const payments = useReadRows(pendingRead.pages, pendingRead.parameters, { refetchInterval: POLL_MS });
  return (
    <>
      <WaitingRequests />
      <Section
        title="Approvals"
        description="Payments, corrections and higher approval amounts that need a second member, newest first."
      >
        <ApprovalCard canSet={canConfigure} />
        <ReadState
          read={payments}
          to="list payments that need approval"
          skeleton={<TableSkeleton rows={3} columns={5} />}
          empty={<p className="text-sm text-muted">No payment has needed approval.</p>}
        >
          {(data) => (
            <PagedTable
              read={payments}
              noun="payment"
              caption="Payments that needed approval, newest first"
              columns={approvalColumns({ currency: data[0]?.currency, canDecide })}
              rows={data}
              rowId={({ id }) => id}
            />
          )}
        </ReadState>
      </Section>
    </>
  );
}

const decisionStates = {
  pending: { tone: "near", label: "Waits for approval" },
  approved: { tone: "good", label: "Approved" },
  declined: { tone: "bad", label: "Declined" },
} as const;

type Viewer = { currency: string | undefined; canDecide: boolean };

function approvalColumns({ currency, canDecide }: Viewer): readonly Column<PendingPayment>[] {
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
          <Status tone={decisionStates[status].tone}>{decisionStates[status].label}</Status>
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

const DeclineDialog = loadOnClient(() => import("./decline-dialog").then((file) => file.DeclineDialog));

type DecidePaymentProps = { payment: PendingPayment };

/** Approves or declines a pending payment. Whoever is not known to be a second person reads why, and may decline it. */
export function DecidePayment({ payment }: DecidePaymentProps) {
  const [isDeclining, setIsDeclining] = useState(false);
  const refusal = payment.approval_refusal;
  return (
    <span className="flex flex-wrap items-center justify-end gap-2 py-1">
      {refusal && (
        <span className="max-w-prose text-sm whitespace-normal text-muted">
          {refusal.message}
          {refusal.until && (
            <>
              {" "}
              You can from <DateTime at={refusal.until} /> on.
            </>
          )}
        </span>
      )}
      {!refusal && (
        <ConfirmedAction
          renderButton={(ask) => (
            <Button size="small" onClick={ask}>
              Approve
            </Button>
          )}
          title={`Approve the ${describePayment(payment)}?`}
          confirmLabel={confirmLabel(payment)}
          danger={false}
          action={approvePayment}
          input={{ id: payment.id }}
          refetch={[
            "listPendingPayments",
            "retrievePaymentApproval",
            "retrieveBalance",
            "listLedger",
            "retrieveLedgerEntry",
          ]}
          done={() => capitalize(`${describePayment(payment)} approved`)}
        >
          {describeEffect(payment)}
        </ConfirmedAction>
      )}
      <Button size="small" onClick={() => setIsDeclining(true)}>
        Decline
      </Button>
      {isDeclining && <DeclineDialog payment={payment} close={() => setIsDeclining(false)} />}
    </span>
  );
}

function confirmLabel({ corrects, sets_approval }: PendingPayment): string {
  if (sets_approval) return "Approve change";
  return corrects ? "Approve correction" : "Approve payment";
}

function describeEffect(payment: PendingPayment): string {
  const { corrects, correction_reason, reference, recorded_by, sets_approval, currency } = payment;
  if (sets_approval)
    return sets_approval.above === null
      ? `Asked for by ${recorded_by.name}. From then on no payment needs approval.`
      : `Asked for by ${recorded_by.name}. From then on payments up to ${formatDecimal(sets_approval.above)} ${currency} need no approval.`;
  return corrects
    ? `“${correction_reason}”, recorded by ${recorded_by.name}. It changes the balance immediately, and a correction can’t be corrected.`
    : `${reference ? `“${reference}”, ` : ""}recorded by ${recorded_by.name}. It can be spent immediately, and a ledger entry can’t be changed or deleted.`;
}
