"use client";

import { Plus, Upload } from "lucide-react";
import { useState } from "react";
import { RecordedNotice, type RecordedPayment } from "@/app/(console)/balance/recorded-notice";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { GuideLink } from "@/components/ui/links/guide-link";
import { LinkButton } from "@/components/ui/links/link-button";
import { TabLinks } from "@/components/ui/links/tab-links";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import { BalanceFigures } from "./balance-figures";
import { Ledger } from "./ledger/ledger";
import { LowBalance } from "./low-balance";
import { MonthFigures } from "./month-figures";
import { Approvals } from "./payments/approvals";
import { PaymentList } from "./payments/payment-list";
import { WaitingPayments } from "./payments/waiting-payments";
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
