"use client";

import { Plus, Upload } from "lucide-react";
import { useEffect, useState } from "react";
import { RecordedNotice, type RecordedPayment } from "@/app/(console)/balance/recorded-notice";
import { useRunway } from "@/components/money/use-runway";
import { useReadRows } from "@/components/queries/reads/use-read";
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
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import { BalanceFigures } from "./balance-figures";
import { Ledger } from "./ledger/ledger";
import { MonthFigures } from "./month-figures";
import { pendingRead } from "./payments/payment-reads";
import { SpendBy } from "./spend-by";

const PaymentDialog = loadOnClient(() =>
  import("@/app/(console)/balance/payment-dialog").then((file) => file.PaymentDialog),
);

const PaymentsTab = loadOnClient(
  () => import("./payments/payments-tab").then((file) => file.PaymentsTab),
  () => {},
  <TableSkeleton rows={6} columns={5} />,
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
  // The tab is there when it is chosen.
  useEffect(() => PaymentsTab.preload(), []);
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
        <PaymentsTab canDecide={canPay} canConfigure={canConfigure} />
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
