"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { Card } from "@/components/ui/card";
import { formatCount } from "@/components/ui/values/group-digits";
import { formatShortMoney } from "@/components/ui/values/write-figures";
import { isBatchFamily } from "@/lib/contract/calls/model-families";
import type { OrganizationModel, UnitPrice } from "@/lib/contract/operations/models/models";
import {
  computeMonthAtPrice,
  type lastMonthRead,
  type lastMonthUnitsRead,
  type PricedMonth,
} from "./last-month";
import { computeMonthAtUnitPrice } from "./last-month-units";
import type { TypedAudioPrice, TypedUnitPrice } from "./price-effect";

type TypedLastMonthPreviewProps = {
  read: ReturnType<typeof lastMonthRead>;
  model: OrganizationModel;
  typed: TypedAudioPrice & { batch_rate: string };
};

/** Shows, before saving, what each project's last month would have cost at the rate and prices of a form. */
export function TypedLastMonthPreview({
  read,
  model: { family, currency },
  typed,
}: TypedLastMonthPreviewProps) {
  // A transcription has a price of audio input alone, since it writes text.
  const isHeard = family === "transcription" && typed.audio_input !== "";
  return (
    <LastMonthPreview
      read={read}
      typed={isHeard ? { ...typed, audio_output: "0" } : typed}
      hasBatchRate={isBatchFamily(family) && typed.batch_rate !== ""}
      currency={currency}
    />
  );
}

type LastMonthPreviewProps = {
  read: ReturnType<typeof lastMonthRead>;
  typed: TypedAudioPrice;
  /** True if calls in batches have a rate of their own. */
  hasBatchRate: boolean;
  currency: string;
};

function LastMonthPreview({ read, typed, hasBatchRate, currency }: LastMonthPreviewProps) {
  const summary = useRead(...read).data;
  if (!summary) return null;
  if (summary.totals.requests === 0) return <NoCalls />;
  const month = computeMonthAtPrice(summary, typed);
  // The sums don't say which tokens were of batches.
  const note = hasBatchRate
    ? "Estimated from the sum of its tokens, all at the model rate. Batches cost the batch rate."
    : "Estimated from the sum of its tokens.";
  return month && <MonthCard month={month} currency={currency} note={note} />;
}

type LastMonthUnitsPreviewProps = {
  read: ReturnType<typeof lastMonthUnitsRead>;
  typed: TypedUnitPrice;
  /** The model's present price, which says what other qualities cost. */
  present: UnitPrice | null;
  currency: string;
};

/** The same for a model that is priced by the unit. */
export function LastMonthUnitsPreview({ read, typed, present, currency }: LastMonthUnitsPreviewProps) {
  const charged = useRead(...read).data?.data;
  if (!charged) return null;
  if (charged.length === 0) return <NoCalls />;
  const month = computeMonthAtUnitPrice(charged, typed, present);
  if (!month) return null;
  const { earlier } = month;
  const calls = `${formatCount(earlier)} ${earlier === 1 ? "call" : "calls"}`;
  const note =
    earlier === 0
      ? "Estimated from the sum of its units."
      : `Estimated from the sum of its units; ${calls} had another list price then.`;
  return <MonthCard month={month} currency={currency} note={note} />;
}

function NoCalls() {
  return <p className="text-sm text-muted">Nobody called this model last month.</p>;
}

function MonthCard({ month, currency, note }: { month: PricedMonth; currency: string; note: string }) {
  return (
    <Card>
      <h2 className="font-medium">Last month at this rate and price</h2>
      <p className="text-sm text-muted">{note} Past charges never change.</p>
      <table className="mt-3 w-full [&_td]:py-1 [&_td]:text-right [&_th]:py-1 [&_th]:font-normal">
        <caption className="sr-only">What last month would have cost by project</caption>
        <thead className="text-sm text-muted">
          <tr className="border-b [&_th:not(:first-child)]:text-right [&_th]:text-left">
            <th scope="col">Project</th>
            <th scope="col">Charged {currency}</th>
            <th scope="col">Would cost {currency}</th>
          </tr>
        </thead>
        <tbody>
          {[...month.projects, month.total].map(({ id, name, charged, atPrice }) => (
            <tr key={id} className={id === "total" ? "border-t font-medium" : undefined}>
              <th scope="row" className="text-left wrap-anywhere">
                {name}
              </th>
              <td>{formatShortMoney(charged)}</td>
              <td>≈ {formatShortMoney(atPrice).replace("≈ ", "")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
