"use client";

import { useRead } from "@/app/queries/use-read";
import { Card } from "@/components/ui/card";
import { shortMoney } from "../usage/write-figures";
import { type lastMonthRead, monthAtPrice } from "./last-month";
import type { TypedPrice } from "./price-effect";

type LastMonthPreviewProps = {
  read: ReturnType<typeof lastMonthRead>;
  typed: TypedPrice;
  currency: string;
};

/** Shows, before saving, what each project's last month would have cost at the typed rate and price. */
export function LastMonthPreview({ read, typed, currency }: LastMonthPreviewProps) {
  const summary = useRead(...read).data;
  if (!summary) return null;
  if (summary.totals.requests === 0) {
    return <p className="text-sm text-muted">Nobody called this model last month.</p>;
  }
  const month = monthAtPrice(summary, typed);
  if (!month) return null;
  return (
    <Card>
      <h2 className="font-medium">Last month at this rate and price</h2>
      <p className="text-sm text-muted">Its tokens, summed. What was charged then never changes.</p>
      <table className="mt-3 w-full [&_td]:py-1 [&_td]:text-right [&_th]:py-1 [&_th]:font-normal">
        <caption className="sr-only">What last month would have cost by project</caption>
        <thead className="text-sm text-muted">
          <tr className="border-b [&_th:not(:first-child)]:text-right [&_th]:text-left">
            <th scope="col">Project</th>
            <th scope="col">Charged {currency}</th>
            <th scope="col">Would be {currency}</th>
          </tr>
        </thead>
        <tbody>
          {[...month.projects, month.total].map(({ id, name, charged, atPrice }) => (
            <tr key={id} className={id === "total" ? "border-t font-medium" : undefined}>
              <th scope="row" className="text-left wrap-anywhere">
                {name}
              </th>
              <td>{shortMoney(charged)}</td>
              <td>≈ {shortMoney(atPrice).replace("≈ ", "")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
