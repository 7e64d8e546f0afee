"use client";

import { CircleCheck, CircleDashed } from "lucide-react";
import { useState } from "react";
import { changePrices } from "@/app/(console)/models/actions";
import { ExchangeRate, LIST_CURRENCY } from "@/components/models/exchange-rate";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { LinkButton } from "@/components/ui/links/link-button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { useRowSelection } from "@/components/ui/table/use-row-selection";
import { writeDate } from "@/components/ui/time/write-date";
import { listPriceClasses, tidyAmount } from "@/components/ui/values/describe-unit-price";
import { countNouns } from "@/components/ui/values/group-digits";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { computeChange, describeChange, formatShortAmount } from "@/components/ui/values/write-figures";
import { paths } from "@/lib/console/paths";
import type { ModelPrice } from "@/lib/contract/operations/models/models";
import type { PriceCheck, PriceDifference } from "@/lib/contract/operations/models/price-checks";
import { type Nano, parseAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";

const ASK_AFTER_MS = 400;

/** A plan of new list prices: what each would have cost last month, and no price changes until it is carried out. */
export function PriceCheckScreen({ currency }: { currency: string }) {
  const [typed, setTyped] = useState("");
  const rate = useDebounced(typed.trim(), ASK_AFTER_MS);
  const isAsked = currency === LIST_CURRENCY || (parseAmount(rate) ?? 0n) > 0n;
  const check = useRead("checkPrices", isAsked && rate ? { exchange_rate: rate } : {}, { enabled: isAsked });
  return (
    <div className="grid gap-6">
      {!isAsked && (
        <PageHead
          title="Check for new prices"
          sentence={`The catalogue has list prices in ${LIST_CURRENCY}, and yours are in ${currency}.`}
        />
      )}
      <ExchangeRate currency={currency} value={typed} change={setTyped} />
      {isAsked && (
        <ReadState read={check} to="check the prices" skeleton={<TableSkeleton rows={6} columns={6} />}>
          {(plan) => <PricePlan key={plan.data.map(({ id }) => id).join()} check={plan} />}
        </ReadState>
      )}
    </div>
  );
}

function PricePlan({ check }: { check: PriceCheck }) {
  const { data, unchanged, catalogue_date: date, currency } = check;
  const selection = useRowSelection({ rows: data, rowId, rowName: rowId, initial: data });
  const save = useAction(changePrices, {
    refetch: ["checkPrices", "listOrganizationModels"],
    onSuccess: ({ models }) => toast({ message: `${countNouns(models.length, "price")} changed` }),
  });
  if (data.length === 0) return <NothingNew unchanged={unchanged} date={date} />;
  const { selected } = selection;
  return (
    <div>
      <PageHead
        title={`${countNouns(data.length, "price")} ${data.length === 1 ? "differs" : "differ"} from the catalogue`}
        sentence={
          <>
            {describeEffect(selected, currency)} Prices per 1 million tokens in {currency}, from the catalogue
            of {writeDate(date)}; {countNouns(unchanged, "other")} {unchanged === 1 ? "is" : "are"} the same.
            Your contract may differ.
          </>
        }
        action={
          <Button
            variant="primary"
            pending={save.isPending}
            disabled={selected.length === 0}
            onClick={() =>
              save.mutate({ models: selected.map(({ id, price, new_price }) => ({ id, price, new_price })) })
            }
          >
            Change {countNouns(selected.length, "price")}
          </Button>
        }
      />
      {save.error && (
        <div className="mb-4">
          <Notice tone="bad" role="alert">
            {save.error.problem.message}
          </Notice>
        </div>
      )}
      <SortedTable
        caption="New prices"
        columns={[selection.column, ...pricePlanColumns(currency)]}
        rows={data}
        rowId={rowId}
      />
    </div>
  );
}

const rowId = ({ id }: PriceDifference) => id;

/** What the chosen changes would have meant for last month. */
function describeEffect(chosen: readonly PriceDifference[], currency: string): string {
  if (chosen.length === 0) return "Nothing is chosen.";
  const sum = (field: "at_price" | "at_new_price") =>
    chosen.reduce((total, { last_month }) => total + parseCheckedAmount(last_month[field]), 0n);
  const difference = sum("at_new_price") - sum("at_price");
  if (difference === 0n) return "Last month’s calls would have cost the same.";
  const size: Nano = toNano(difference < 0n ? -difference : difference);
  const amount = `≈ ${formatShortAmount(size).replace("≈ ", "")} ${currency}`;
  return `Last month’s calls would have cost ${amount} ${difference < 0n ? "less" : "more"}.`;
}

function NothingNew({ unchanged, date }: { unchanged: number; date: string }) {
  const action = <LinkButton href={paths.models()}>View models</LinkButton>;
  return (
    <div>
      <PageHead
        title="Check for new prices"
        sentence={`Your list prices and the catalogue of ${writeDate(date)}.`}
      />
      {unchanged > 0 ? (
        <EmptyState icon={CircleCheck} title="Every price matches the catalogue" action={action}>
          {countNouns(unchanged, "model")} compared. Nothing has to be changed.
        </EmptyState>
      ) : (
        <EmptyState icon={CircleDashed} title="No price to compare" action={action}>
          The catalogue knows none of your models. It lists the models of the large providers. You set the
          prices of sandbox models and of models on your own servers.
        </EmptyState>
      )}
    </div>
  );
}

type MainPrice = "input_per_1m" | "cached_input_per_1m" | "output_per_1m";

/** The columns of the plan: what each price is and would be, and what last month's calls would have cost. */
export function pricePlanColumns(currency: string): readonly Column<PriceDifference>[] {
  return [
    {
      id: "model",
      header: "Model",
      sortValue: ({ id }) => id,
      cell: ({ id, provider, price, new_price }) => (
        <>
          <span className="font-mono text-sm break-all">{id}</span>
          <span className="block text-xs font-normal text-muted">{provider}</span>
          <OtherDifferences price={price} next={new_price} />
        </>
      ),
    },
    mainColumn("input_per_1m", "Input"),
    mainColumn("cached_input_per_1m", "Cached input"),
    mainColumn("output_per_1m", "Output"),
    {
      id: "at_price",
      header: "Last month",
      unit: currency,
      width: "w-32",
      numeric: true,
      sortValue: ({ last_month }) => Number(last_month.at_price),
      cell: ({ last_month: { calls, at_price } }) =>
        calls === 0 ? <span className="text-muted">no calls</span> : <Cost amount={at_price} />,
    },
    {
      id: "at_new_price",
      header: "Would have cost",
      unit: currency,
      width: "w-40",
      numeric: true,
      sortValue: ({ last_month }) => Number(last_month.at_new_price),
      cell: ({ last_month: { calls, at_price, at_new_price } }) =>
        calls > 0 && (
          <>
            <Cost amount={at_new_price} />
            <span className="block text-xs text-muted">{describePriceEffect(at_price, at_new_price)}</span>
          </>
        ),
    },
  ];
}

const Cost = ({ amount }: { amount: string }) => (
  <RoundedMoney isRounded amount={parseCheckedAmount(amount)} />
);

function describePriceEffect(before: string, after: string): string {
  const change = computeChange(parseCheckedAmount(after), parseCheckedAmount(before));
  return change === null ? "" : describeChange(change);
}

function mainColumn(field: MainPrice, header: string): Column<PriceDifference> {
  return {
    id: field,
    header,
    width: "w-36",
    numeric: true,
    cell: ({ price, new_price }) => <Changed before={read(price, field)} after={read(new_price, field)} />,
  };
}

const read = (price: ModelPrice, field: MainPrice) => {
  const amount = price[field];
  return amount === undefined ? undefined : tidyAmount(amount);
};

/** Both values where they differ, read out in words. */
function Changed({ before = "–", after = "–" }: { before?: string | undefined; after?: string | undefined }) {
  if (before === after) return <span className="text-muted">{after}</span>;
  return (
    <span className="whitespace-nowrap">
      <span className="sr-only">from </span>
      <s className="text-muted">{before}</s>
      <span className="sr-only"> to</span> <span className="font-medium">{after}</span>
    </span>
  );
}

/** The prices that have no column of their own and differ, such as those of long prompts. */
function OtherDifferences({ price, next }: { price: ModelPrice; next: ModelPrice }) {
  const [before, after] = [price, next].map((one) =>
    listPriceClasses({ ...one, cached_input_per_1m: undefined }),
  );
  const names = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])];
  const differing = names.filter((name) => before?.get(name) !== after?.get(name));
  return differing.map((name) => (
    <span key={name} className="block text-xs font-normal text-muted">
      {name} <Changed before={before?.get(name)} after={after?.get(name)} />
    </span>
  ));
}
