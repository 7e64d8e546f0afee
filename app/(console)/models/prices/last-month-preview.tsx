"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { Card } from "@/components/ui/card";
import { formatCount } from "@/components/ui/values/group-digits";
import { formatShortMoney } from "@/components/ui/values/write-figures";
import { isBatchFamily } from "@/lib/contract/calls/model-families";
import type { OrganizationModel, UnitPrice } from "@/lib/contract/operations/models/models";
import type { ChargedUnits } from "@/lib/contract/operations/usage/charged-units";
import { formatAmount, type Nano, parseAmount, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import { computeCharge, NANO_PER_PART } from "@/lib/money/charge";
import type { MonthAtPrice } from "./last-month";
import {
  computeMonthAtPrice,
  type lastMonthRead,
  type lastMonthUnitsRead,
  type PricedMonth,
} from "./last-month";
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

const MAX_PROJECTS = 8;

type Charged = ChargedUnits["data"][number];

/**
 * Prices last month's units at a typed rate and list price, by project and in total; null if the typed text is invalid.
 * Units of another quality keep that quality's list price. `earlier` is the number of calls at list prices that no
 * longer hold, which are counted at the typed one. The ledger rounds each call, not their sum: show ≈.
 */
export function computeMonthAtUnitPrice(
  charged: readonly Charged[],
  typed: TypedUnitPrice,
  present: UnitPrice | null,
): (PricedMonth & { earlier: number }) | null {
  const [rate, amount] = [parseAmount(typed.rate), parseAmount(typed.amount)];
  if (rate === null || amount === null || rate <= 0n || amount < 0n) return null;
  const qualities = Object.values(present?.qualities ?? {}).map(parseCheckedAmount);
  const base = present && parseCheckedAmount(present.amount);
  const isQualityPrice = (price: Nano) => price !== base && qualities.includes(price);
  const computeCost = ({ unit, units, list_price }: Charged): Nano => {
    const price = parseCheckedAmount(list_price);
    const perUnit = { unit, amount: isQualityPrice(price) ? price : amount };
    const parts = Number(parseCheckedAmount(units) / NANO_PER_PART);
    const usage = { promptTokens: 0, completionTokens: 0, units: parts };
    return computeCharge(usage, { inputPer1m: ZERO, outputPer1m: ZERO, rate, perUnit });
  };
  const row = (id: string, name: string, those: readonly Charged[]): MonthAtPrice => ({
    id,
    name,
    charged: formatSum(those.map((one) => parseCheckedAmount(one.amount))),
    atPrice: formatSum(those.map(computeCost)),
  });
  // The gateway lists the largest amounts first.
  const byProject = groupByProject(charged);
  // One more has a row of its own rather than one as "others".
  const shown = byProject.length === MAX_PROJECTS + 1 ? MAX_PROJECTS + 1 : MAX_PROJECTS;
  const rest = byProject.slice(shown).flatMap(([, those]) => those);
  const projects = byProject
    .slice(0, shown)
    .map(([id, those]) => row(id, those[0]?.project_name ?? id, those));
  const others = byProject.length - projects.length;
  return {
    projects: others > 0 ? [...projects, row("rest", `${others} other projects`, rest)] : projects,
    total: row("total", "All projects", charged),
    earlier: charged
      .filter(
        ({ list_price }) =>
          parseCheckedAmount(list_price) !== base && !isQualityPrice(parseCheckedAmount(list_price)),
      )
      .reduce((count, { calls }) => count + calls, 0),
  };
}

function groupByProject(charged: readonly Charged[]): [id: string, those: readonly Charged[]][] {
  const groups = new Map<string, Charged[]>();
  for (const one of charged) groups.set(one.project_id, [...(groups.get(one.project_id) ?? []), one]);
  return [...groups];
}

function formatSum(amounts: readonly Nano[]): string {
  return formatAmount(toNano(amounts.reduce((sum, amount) => sum + amount, 0n)));
}
