import type { UnitPrice } from "@/lib/contract/operations/models/models";
import type { ChargedUnits } from "@/lib/contract/operations/usage/charged-units";
import { formatAmount, type Nano, parseAmount, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import { computeCharge, NANO_PER_PART } from "@/lib/money/charge";
import type { MonthAtPrice, PricedMonth } from "./last-month";
import type { TypedUnitPrice } from "./price-effect";

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
