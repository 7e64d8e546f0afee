"use client";

import { Plus, Upload } from "lucide-react";
import { useState } from "react";
import { RecordedNotice, type RecordedPayment } from "@/app/(console)/balance/recorded-notice";
import { WaitingRequests } from "@/components/access-requests/waiting-requests";
import { ApprovalCard } from "@/components/money/payments/approval-card";
import { useRunway } from "@/components/money/use-runway";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { GuideLink } from "@/components/ui/links/guide-link";
import { LinkButton } from "@/components/ui/links/link-button";
import { TabLinks } from "@/components/ui/links/tab-links";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { writeDate } from "@/components/ui/time/write-date";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";
import { BalanceFigures } from "./balance-figures";
import { Ledger } from "./ledger/ledger";
import { MonthFigures } from "./month-figures";
import { DecidePayment } from "./payments/decide-payment";
import { PaymentList } from "./payments/payment-list";
import { pendingRead } from "./payments/payment-reads";
import { SpendBy } from "./spend-by";

const PaymentDialog = loadOnClient(() =>
  import("@/app/(console)/balance/payment-dialog").then((file) => file.PaymentDialog),
);

type BalanceScreenProps = {
  currency: string | undefined;
  canPay: boolean;
  canCorrect: boolean;
  /** Whether they may say above which amount a payment needs a second person. */
  canConfigure: boolean;
  /** Unix seconds. */
  openedAt: number;
  /** What the person is allowed to read. */
  sees: Readonly<Record<"balance" | "ledger" | "usage" | "limit", boolean>>;
};

/** The balance, how long it lasts, what it was spent on and all entries; or its payments and their approval. */
export function BalanceScreen(props: BalanceScreenProps) {
  const { currency, canPay, canCorrect, canConfigure, openedAt, sees } = props;
  const dialog = useFormDialog("new-payment", canPay);
  const [recorded, setRecorded] = useState<RecordedPayment | null>(null);
  const pay = canPay ? dialog.open : null;
  const [shown] = useUrlParameter("show");
  const showsPayments = shown === "payments" && sees.ledger;
  return (
    <>
      <PageHead
        title="Balance"
        sentence={
          <>
            One prepaid balance for all models: payments less charges, with their corrections, exact to nine
            decimals. <GuideLink page="money">Money, explained</GuideLink>
          </>
        }
        action={
          pay && (
            <>
              <LinkButton href={paths.importPayments()}>
                <Upload aria-hidden />
                Import payments
              </LinkButton>
              <Button variant="primary" onClick={pay}>
                <Plus aria-hidden />
                Record payment
              </Button>
            </>
          )
        }
      />
      {recorded && (
        <div className="mb-6">
          <RecordedNotice recorded={recorded} />
        </div>
      )}
      {sees.ledger && <BalanceTabs showsPayments={showsPayments} />}
      {showsPayments ? (
        <div className="grid gap-10">
          <Approvals canDecide={canPay} canConfigure={canConfigure} />
          <PaymentList />
        </div>
      ) : (
        <>
          {sees.ledger && <WaitingPayments />}
          {sees.usage && sees.balance && <LowBalance openedAt={openedAt} pay={pay} />}
          <BalanceFigures pay={pay} />
          <MonthFigures openedAt={openedAt} sees={sees} />
          {sees.usage && (
            <div className="mb-8 empty:hidden">
              <SpendBy openedAt={openedAt} />
            </div>
          )}
          <Ledger openedAt={openedAt} canCorrect={canCorrect} />
        </>
      )}
      {dialog.isOpen && (
        <PaymentDialog
          currency={currency}
          close={dialog.close}
          onRecorded={(entry) => {
            setRecorded(entry);
            dialog.close();
          }}
        />
      )}
    </>
  );
}

function BalanceTabs({ showsPayments }: { showsPayments: boolean }) {
  return (
    <TabLinks
      label="Parts of the balance"
      current={showsPayments ? "payments" : "ledger"}
      tabs={[
        { id: "ledger", label: "Balance and ledger", href: paths.balance() },
        { id: "payments", label: "Payments and approvals", href: paths.payments() },
      ]}
    />
  );
}

/** A payment takes some days to arrive, so the notice appears this long before the balance runs out. */
const LOW_FROM_DAYS = 7;

/** Asks for a payment if the balance will run out soon at the recent rate of spending. */
function LowBalance({ openedAt, pay }: { openedAt: number; pay: (() => void) | null }) {
  const lasting = useRunway(openedAt);
  if (!lasting || lasting.runway.days <= 0 || lasting.runway.days >= LOW_FROM_DAYS) return null;
  return (
    <div className="mb-6">
      <Notice
        tone="near"
        title="The balance is running low"
        actions={pay && <Button onClick={pay}>Record payment</Button>}
      >
        {lasting.headline}. {lasting.explanation} Calls that it doesn’t cover are refused.
      </Notice>
    </div>
  );
}

/** Says on the balance that a payment waits for a second person, and leads to it. */
function WaitingPayments() {
  const { data } = useReadRows(pendingRead.pages, pendingRead.parameters);
  const count = data?.filter(({ status }) => status === "pending").length ?? 0;
  if (count === 0) return null;
  return (
    <div className="mb-6">
      <Notice
        tone="near"
        title={
          count === 1 ? "A payment waits for approval" : `${formatCount(count)} payments wait for approval`
        }
        actions={<TextLink href={paths.payments()}>Approve or decline</TextLink>}
      >
        They count once a second member approves them.
      </Notice>
    </div>
  );
}

const POLL_MS = 15_000;

type ApprovalsProps = { canDecide: boolean; canConfigure: boolean };

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

const states = {
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
