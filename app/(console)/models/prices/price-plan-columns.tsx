import type { Column } from "@/components/ui/table/column";
import { listPriceClasses, tidyAmount } from "@/components/ui/values/describe-unit-price";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { computeChange, describeChange } from "@/components/ui/values/write-figures";
import type { ModelPrice } from "@/lib/contract/operations/models/models";
import type { PriceDifference } from "@/lib/contract/operations/models/price-checks";
import { parseCheckedAmount } from "@/lib/money/amount";

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
            <span className="block text-xs text-muted">{describeEffect(at_price, at_new_price)}</span>
          </>
        ),
    },
  ];
}

const Cost = ({ amount }: { amount: string }) => (
  <RoundedMoney isRounded amount={parseCheckedAmount(amount)} />
);

function describeEffect(before: string, after: string): string {
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
