"use client";

import { Download, Printer } from "lucide-react";
import { TrafficElsewhere } from "@/components/money/elsewhere/traffic-elsewhere";
import { toNanoPerDay } from "@/components/money/runway";
import { usePace, useRunway } from "@/components/money/use-runway";
import { useRead, useReads } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { CopyButton } from "@/components/ui/text/copy-button";
import { downloadFile } from "@/components/ui/text/download-file";
import { formatShortAmount } from "@/components/ui/values/write-figures";
import { usageReads } from "@/components/usage/usage-reads";
import { paths } from "@/lib/console/paths";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { formatAmount } from "@/lib/money/amount";
import type { RoundedAmount } from "@/lib/money/rounding";
import { computePaymentForWorth, computeWorth } from "@/lib/money/worth";
import { BalanceLasts } from "./balance-lasts";
import { type Calculation, calculate, permanentAddress } from "./calculation";
import { writePurchases } from "./calculator-csv";
import { calculatorReads } from "./calculator-reads";
import { CompareModels, listPurchaseRows } from "./compare-models";
import { LinkedNotice } from "./linked-notice";
import { ModelsState } from "./models-state";
import { buildPriceSheet } from "./price-sheet";
import { useCalculatorAddress } from "./use-calculator-address";
import { listUnitModels } from "./work-day/week-mix";
import { WorkDay } from "./work-day/work-day";
import { WorkDaySkeleton } from "./work-day/work-day-skeleton";
import { computeMixCost } from "./work-day/work-mix";
import { WorkedExamples } from "./worked-examples";
import { WorthCard } from "./worth-card";

type CalculatorRights = { models: boolean; usage: boolean; balance: boolean; payments: boolean };

type CalculatorProps = {
  can: CalculatorRights;
  currency: string | undefined;
  /** When the page was rendered, in Unix seconds. */
  openedAt: number;
};

/** Computes what a payment is worth and what work costs, with the functions that compute the ledger’s charges. */
export function Calculator({ can, currency, openedAt }: CalculatorProps) {
  const reads = calculatorReads(openedAt);
  const listed = useRead(...reads.models, { enabled: can.models });
  const models = listed.data?.data ?? [];
  const { week, isPending, pace, lasting } = useWeek(openedAt, can, models);
  const balance = useRead(...reads.balance, { enabled: can.balance }).data;
  const [asked, change] = useCalculatorAddress();
  // A mix of its own would be replaced by the week's while somebody types into it.
  const awaitsWeek = asked.mix === null && isPending;
  const shown = calculate(asked, { models, currency, week });
  const { question, linked, sheet } = shown;
  const rows = question ? listPurchaseRows(shown, question) : [];
  // The whole day of the week costs what it did, as on all screens that say how long the balance lasts.
  const ofWeek = shown.isFromWeek && lasting && pace ? { ...lasting, costPerDay: toNanoPerDay(pace) } : null;
  const costPerDay = ofWeek?.costPerDay ?? computeMixCost(shown.mix, sheet);
  const payment = question && "payment" in question ? question.payment : null;
  const funds = balance
    ? { amount: balance.available, isBalance: true }
    : payment !== null && { amount: formatAmount(payment), isBalance: false };

  return (
    <>
      <PageHead
        title={writeTitle(shown)}
        sentence="A call costs list price × model rate, so a payment is worth payment ÷ model rate. Charges are calculated with the same functions."
        action={
          <Actions
            address={paths.calculator(permanentAddress(asked, shown, openedAt, buildPriceSheet(models)))}
            csv={rows.length > 0 ? () => writePurchases(rows, { hasThen: linked !== null }) : null}
          />
        }
      />
      <ModelsState read={listed} canRead={can.models} />
      {linked && <LinkedNotice linked={linked} close={() => change({ at: null, prices: null })} />}
      <div className="grid items-start gap-x-4 gap-y-8 xl:grid-cols-[280px_minmax(0,1fr)] min-[90rem]:grid-cols-[340px_minmax(0,1fr)]">
        <WorthCard shown={shown} models={models} currency={currency} change={change} />
        {question && rows.length > 0 && (
          <CompareModels shown={shown} question={question} rows={rows} change={change} />
        )}
      </div>
      {models.length > 0 && (
        <div className="mt-8 grid items-start gap-x-4 gap-y-8 xl:grid-cols-[minmax(0,1fr)_340px]">
          {awaitsWeek ? <WorkDaySkeleton /> : <WorkDay shown={shown} currency={currency} change={change} />}
          {funds && costPerDay !== null && !awaitsWeek && (
            <BalanceLasts
              funds={funds}
              costPerDay={costPerDay}
              lasting={ofWeek}
              currency={currency}
              until={asked.until}
              setUntil={(until) => change({ until })}
              canPay={can.payments}
              now={openedAt}
            />
          )}
        </div>
      )}
      {can.usage && can.models && (
        <div className="mt-8">
          <TrafficElsewhere modelId={null} openedAt={openedAt} />
        </div>
      )}
      <WorkedExamples />
    </>
  );
}

/** Reads the calls of the last seven days, and how long the balance lasts at their pace. */
function useWeek(openedAt: number, can: CalculatorRights, models: readonly OrganizationModel[]) {
  const reads = calculatorReads(openedAt);
  const isRead = can.usage && can.models;
  const { data: summary, isPending } = useRead(...reads.week, { enabled: isRead });
  const unitModels = summary ? listUnitModels(summary, buildPriceSheet(models)) : [];
  const units = useReads("retrieveChargedUnits", reads.weekUnits(unitModels));
  const isPacePending = useRead(...usageReads(openedAt).week, { enabled: isRead }).isPending;
  const pace = usePace(openedAt, isRead);
  const lasting = useRunway(openedAt, isRead && can.balance);
  const week =
    summary && units && !isPacePending
      ? {
          summary,
          days: pace?.paceDays ?? 7,
          units: new Map(units.map(({ model, data }) => [model, data])),
        }
      : undefined;
  return { week, isPending: isRead && (isPending || (summary !== undefined && !week)), pace, lasting };
}

type ActionsProps = { address: string; csv: (() => string) | null };

function Actions({ address, csv }: ActionsProps) {
  const link = typeof window === "undefined" ? address : `${window.location.origin}${address}`;
  return (
    <div className="contents">
      <CopyButton hasLabel what="link" text={link} />
      {csv && (
        <Button onClick={() => downloadFile("calculator.csv", "text/csv", csv())}>
          <Download aria-hidden />
          CSV
        </Button>
      )}
      <Button onClick={() => window.print()}>
        <Printer aria-hidden />
        Print
      </Button>
    </div>
  );
}

/** A result in short. `≈` if it is rounded here or was rounded to nine decimals. */
function writeShort({ amount, isRounded }: RoundedAmount): string {
  const short = formatShortAmount(amount);
  return isRounded && !short.startsWith("≈") ? `≈ ${short}` : short;
}

/** The result of the calculation, as the page's title. */
function writeTitle({ question, rate }: Calculation): string {
  if (!question || rate.value === null) return "Calculator";
  const at = `at rate ${formatShortAmount(rate.value)}`;
  if ("worth" in question) {
    const payment = computePaymentForWorth(question.worth, rate.value);
    return `${formatShortAmount(question.worth)} ${at} costs ${writeShort(payment)}`;
  }
  const worth = computeWorth(question.payment, rate.value);
  return `${formatShortAmount(question.payment)} ${at} is worth ${writeShort(worth)}`;
}
