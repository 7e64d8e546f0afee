"use client";

import { useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { formatCount } from "@/components/ui/values/group-digits";
import { formatShortMoney } from "@/components/ui/values/write-figures";
import type { ModelPrice } from "@/lib/contract/operations/models/models";
import type { PriceCheck, PriceDifference } from "@/lib/contract/operations/models/price-checks";
import { changePrices } from "../actions";

/** A plan of new list prices: what each would have cost last month, and no price changes until it is carried out. */
export function PriceCheckScreen() {
  return (
    <ReadState
      read={useRead("checkPrices")}
      to="check the prices"
      skeleton={<TableSkeleton rows={6} columns={6} />}
    >
      {(check) => <PricePlan check={check} />}
    </ReadState>
  );
}

function PricePlan({ check }: { check: PriceCheck }) {
  const { data, unchanged, catalogue_date: date, currency } = check;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const ticked = data.filter(({ id }) => !left.has(id));
  const save = useAction(changePrices, {
    refetch: ["checkPrices", "listOrganizationModels"],
    onSuccess: ({ models }) => toast({ message: `${countPrices(models.length)} changed` }),
  });
  const tick = (id: string) => {
    const after = new Set(left);
    if (!after.delete(id)) after.add(id);
    setLeft(after);
  };
  const differ = data.length === 1 ? "1 price differs" : `${formatCount(data.length)} prices differ`;
  return (
    <>
      <PageHead
        title={data.length === 0 ? "No new prices" : `${differ} from the catalogue`}
        sentence={`List prices in ${currency} per 1 million tokens, from the catalogue of ${date}. ${countPrices(unchanged)} the same. Nothing changes until you say so; your contract may differ.`}
        action={
          data.length > 0 && (
            <Button
              variant="primary"
              pending={save.isPending}
              disabled={ticked.length === 0}
              onClick={() =>
                save.mutate({ models: ticked.map(({ id, price, new_price }) => ({ id, price, new_price })) })
              }
            >
              Change {countPrices(ticked.length)}
            </Button>
          )
        }
      />
      {save.error && (
        <div className="mb-4">
          <Notice tone="bad" role="alert">
            {save.error.problem.message}
          </Notice>
        </div>
      )}
      {data.length > 0 && (
        <div
          className="overflow-x-auto rounded-md border bg-surface"
          tabIndex={0}
          role="region"
          aria-label="New prices"
        >
          <PlanTable data={data} currency={currency} left={left} tick={tick} />
        </div>
      )}
    </>
  );
}

type PlanTableProps = Pick<PriceCheck, "data" | "currency"> & {
  /** The models whose price stays. */
  left: ReadonlySet<string>;
  tick: (id: string) => void;
};

function PlanTable({ data, currency, left, tick }: PlanTableProps) {
  return (
    <table className="w-full text-sm [&_td]:px-3 [&_td]:py-2 [&_th]:px-3 [&_th]:py-2">
      <thead className="border-b text-xs text-muted [&_th]:font-normal">
        <tr>
          <th scope="col" className="w-10">
            <span className="sr-only">Change</span>
          </th>
          <th scope="col" className="text-left">
            Model
          </th>
          <th scope="col" className="text-right">
            Input
          </th>
          <th scope="col" className="text-right">
            Cached input
          </th>
          <th scope="col" className="text-right">
            Output
          </th>
          <th scope="col" className="text-right">
            Last month {currency}
          </th>
          <th scope="col" className="text-right">
            Would have been
          </th>
        </tr>
      </thead>
      <tbody>
        {data.map((row) => (
          <PlanRow key={row.id} row={row} isTicked={!left.has(row.id)} tick={() => tick(row.id)} />
        ))}
      </tbody>
    </table>
  );
}

const countPrices = (count: number) => (count === 1 ? "1 price" : `${formatCount(count)} prices`);

function PlanRow({ row, isTicked, tick }: { row: PriceDifference; isTicked: boolean; tick: () => void }) {
  const { id, price, new_price: next, last_month: month } = row;
  const cell = (field: keyof Pick<ModelPrice, "input_per_1m" | "cached_input_per_1m" | "output_per_1m">) => (
    <td className="text-right whitespace-nowrap tabular-nums">
      {price[field] === next[field] ? (
        <span className="text-muted">{price[field] ?? "–"}</span>
      ) : (
        <>
          <s className="text-muted">{price[field] ?? "–"}</s> {next[field] ?? "–"}
        </>
      )}
    </td>
  );
  return (
    <tr className="border-b last:border-b-0">
      <td>
        <Checkbox aria-label={`Change the price of ${id}`} checked={isTicked} onChange={tick} />
      </td>
      <th scope="row" className="text-left font-mono text-xs font-normal break-all">
        {id}
      </th>
      {cell("input_per_1m")}
      {cell("cached_input_per_1m")}
      {cell("output_per_1m")}
      <td className="text-right tabular-nums">{formatShortMoney(month.charged)}</td>
      <td className="text-right tabular-nums">
        {month.calls === 0 ? (
          <span className="text-muted">no calls</span>
        ) : (
          `≈ ${formatShortMoney(month.at_new_price).replace("≈ ", "")}`
        )}
      </td>
    </tr>
  );
}
