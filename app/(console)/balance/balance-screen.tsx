"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { RecordedNotice, type RecordedPayment } from "@/app/(console)/balance/recorded-notice";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { GuideLink } from "@/components/ui/links/guide-link";
import { PageHead } from "@/components/ui/page-head";
import { BalanceFigures } from "./balance-figures";
import { Ledger } from "./ledger/ledger";
import { LowBalance } from "./low-balance";
import { MonthFigures } from "./month-figures";
import { SpendBy } from "./spend-by";

const PaymentDialog = loadOnClient(() =>
  import("@/app/(console)/balance/payment-dialog").then((file) => file.PaymentDialog),
);

type BalanceScreenProps = {
  currency: string | undefined;
  canPay: boolean;
  canCorrect: boolean;
  /** Unix seconds. */
  openedAt: number;
  /** What the person is allowed to read. */
  sees: Readonly<Record<"balance" | "ledger" | "usage" | "limit", boolean>>;
};

/** The balance, how long it lasts, what it was spent on, and all entries. */
export function BalanceScreen({ currency, canPay, canCorrect, openedAt, sees }: BalanceScreenProps) {
  const dialog = useFormDialog("new-payment", canPay);
  const [recorded, setRecorded] = useState<RecordedPayment | null>(null);
  const pay = canPay ? dialog.open : null;
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
            <Button variant="primary" onClick={pay}>
              <Plus aria-hidden />
              Record payment
            </Button>
          )
        }
      />
      {recorded && (
        <div className="mb-6">
          <RecordedNotice recorded={recorded} />
        </div>
      )}
      {sees.usage && sees.balance && <LowBalance openedAt={openedAt} pay={pay} />}
      <BalanceFigures pay={pay} />
      <MonthFigures openedAt={openedAt} sees={sees} />
      {sees.usage && (
        <div className="mb-8 empty:hidden">
          <SpendBy openedAt={openedAt} />
        </div>
      )}
      <Ledger openedAt={openedAt} canCorrect={canCorrect} />
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
