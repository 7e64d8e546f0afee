"use client";

import { Download, Printer } from "lucide-react";
import type { ReactNode } from "react";
import { TrafficElsewhere } from "@/components/money/elsewhere/traffic-elsewhere";
import { toNanoPerDay, usePace, useRunway } from "@/components/money/use-runway";
import { useRead, useReads } from "@/components/queries/reads/use-read";
import { useIsGatewayDown } from "@/components/queries/states/gateway-down";
import type { ShownRead } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { CopyButton } from "@/components/ui/text/copy-button";
import { downloadFile } from "@/components/ui/text/download-file";
import { formatUtcTime } from "@/components/ui/time/describe-time";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount, groupDigits } from "@/components/ui/values/group-digits";
import { formatShortAmount } from "@/components/ui/values/write-figures";
import { usageReads } from "@/components/usage/usage-reads";
import { paths } from "@/lib/console/paths";
import { writeCsvLine } from "@/lib/contract/csv";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import {
  computePaymentForWorth,
  computeWorth,
  formatAmount,
  type Nano,
  type RoundedAmount,
} from "@/lib/money/amount";
import { chargeExamples, statementExamples, unitExamples, worthExamples } from "@/lib/money/worked-examples";
import { BalanceLasts } from "./balance-lasts";
import type { Purchase } from "./calculate";
import { type Calculation, calculate, permanentAddress } from "./calculation";
import { calculatorReads } from "./calculator-reads";
import { CompareModels, listPurchaseRows } from "./compare-models";
import { buildPriceSheet } from "./price-sheet";
import type { PurchaseRow } from "./purchase-columns";
import { useCalculatorAddress } from "./use-calculator-address";
import { listUnitModels } from "./work-day/week-mix";
import { WORK_DAY, WorkDay } from "./work-day/work-day";
import { computeMixCost } from "./work-day/work-mix";
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
        <div className="mt-8 grid items-start gap-x-4 gap-y-8 min-[90rem]:grid-cols-[minmax(0,1fr)_340px]">
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

/** Shown until the calls of the last seven days are read, of which the mix then consists. */
function WorkDaySkeleton() {
  return (
    <Section title={WORK_DAY}>
      <TableSkeleton rows={2} columns={6} />
    </Section>
  );
}

const MAX_NAMED = 3;

type LinkedNoticeProps = { linked: NonNullable<Calculation["linked"]>; close: () => void };

/** Says when an opened link was made, and whether rates and prices have changed since. */
function LinkedNotice({ linked: { at, changed }, close }: LinkedNoticeProps) {
  const named = changed.slice(0, MAX_NAMED).join(", ");
  const more = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : "";
  return (
    <div className="mb-6">
      <Notice
        tone={changed.length > 0 ? "near" : "neutral"}
        title={`Computed on ${formatUtcTime(at)}, beside today’s rates and prices`}
        actions={
          <Button size="small" onClick={close}>
            Show today’s only
          </Button>
        }
      >
        {changed.length > 0
          ? `Since then rate or price changed for ${named}${more}.`
          : "No rate or price has changed since then."}
      </Notice>
    </div>
  );
}

const columns: readonly [string, (row: PurchaseRow) => Nano | number | string | null][] = [
  ["model", ({ model }) => model],
  ["rate", ({ price }) => price.rate],
  ["input_per_1m", ({ price }) => price.inputPer1m],
  ["output_per_1m", ({ price }) => price.outputPer1m],
  ["payment", ({ payment }) => payment.amount],
  ["worth", ({ worth }) => worth.amount],
  ["input_tokens", ({ inputTokens }) => inputTokens],
  ["output_tokens", ({ outputTokens }) => outputTokens],
  ["calls", ({ calls }) => calls],
  ["cost_per_call", ({ callCost }) => callCost.charge.amount],
  ["unit", ({ price }) => price.perUnit?.unit ?? null],
  ["unit_price", ({ price }) => price.perUnit?.amount ?? null],
  ["units", ({ units }) => units],
];

const columnsThen: readonly [string, (linked: Purchase) => Nano | number][] = [
  ["payment_as_computed", ({ payment }) => payment.amount],
  ["worth_as_computed", ({ worth }) => worth.amount],
  ["calls_as_computed", ({ calls }) => calls],
];

/** Returns the comparison as CSV with exact amounts. `hasThen` adds the results at the time of the open link. */
function writePurchases(rows: readonly PurchaseRow[], { hasThen }: { hasThen: boolean }): string {
  const extra = hasThen ? columnsThen : [];
  const head = writeCsvLine([...columns, ...extra].map(([name]) => name));
  const lines = rows.map((row) =>
    writeCsvLine([
      ...columns.map(([, readValue]) => write(readValue(row))),
      ...extra.map(([, readValue]) => (row.linked ? write(readValue(row.linked)) : null)),
    ]),
  );
  return head + lines.join("");
}

function write(value: Nano | number | string | null): number | string | null {
  if (typeof value === "bigint") return formatAmount(value);
  return value === Number.POSITIVE_INFINITY ? "free" : value;
}

type ModelsStateProps = {
  read: ShownRead<unknown>;
  /** Whether the person may read models. */
  canRead: boolean;
};

/** Says why no model can be chosen or compared, or since when the models are outdated. */
function ModelsState({ read, canRead }: ModelsStateProps) {
  const isGatewayDown = useIsGatewayDown(read.error?.problem);
  if (canRead && !read.error) return null;
  if (canRead && read.data !== undefined) return <StaleNotice read={read} />;
  // The bar above the page then gives the reason and the button.
  return (
    <div className="mb-6">
      {canRead ? (
        <Notice
          role="alert"
          tone="bad"
          title="The models could not be read"
          actions={
            !isGatewayDown && (
              <Button size="small" pending={read.isFetching} onClick={() => void read.refetch()}>
                Try again
              </Button>
            )
          }
        >
          {!isGatewayDown && read.error?.problem.message} Until then the calculator works with a rate and
          prices that you type.
        </Notice>
      ) : (
        <Notice title="Models can’t be chosen or compared">
          That takes the permission <code className="font-mono">api.models.read</code>. The calculator works
          with a rate and prices that you type.
        </Notice>
      )}
    </div>
  );
}

/** Examples computed by hand. Tests check the ledger's and this page's arithmetic against them. */
function WorkedExamples() {
  return (
    <details className="mt-8 rounded-md border bg-surface p-4">
      <summary className="rounded-sm font-medium">Worked examples</summary>
      <p className="mt-2 max-w-prose text-muted">
        These were calculated by hand. Tests compare the calculator, the estimates, the statements and the
        ledger with them, and with an independent library for decimals.
      </p>
      <ul className="mt-3 grid gap-3">
        {worthExamples.map(({ payment, rate, worth, shows }) => (
          <Example key={shows} shows={shows}>
            {groupDigits(payment)} ÷ {rate} → {groupDigits(worth)}
          </Example>
        ))}
        {chargeExamples.map((example) => (
          <Example key={example.shows} shows={example.shows}>
            ({formatCount(example.promptTokens)} × {example.inputPer1m} +{" "}
            {formatCount(example.completionTokens)} × {example.outputPer1m}) ÷ 1,000,000 × {example.rate} →{" "}
            {groupDigits(example.charge)}
          </Example>
        ))}
        {unitExamples.map(({ shows, units, unit, amount, rate, charge }) => (
          <Example key={shows} shows={shows}>
            {describeUnits(units, unit)} × {amount} × {rate} → {groupDigits(charge)}
          </Example>
        ))}
        {statementExamples.map(({ shows, opening, payments, charges, corrections, closing }) => (
          <Example key={shows} shows={shows}>
            {opening} + {payments} − {charges} +{" "}
            {corrections.startsWith("-") ? `(${corrections})` : corrections} = {closing}
          </Example>
        ))}
      </ul>
    </details>
  );
}

function Example({ children, shows }: { children: ReactNode; shows: string }) {
  return (
    <li className="grid gap-0.5">
      <span className="font-medium wrap-anywhere">{children}</span>
      <span className="text-sm text-muted">{shows}</span>
    </li>
  );
}
