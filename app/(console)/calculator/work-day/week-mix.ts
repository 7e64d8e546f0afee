import { formatCount, groupDigits } from "@/components/ui/values/group-digits";
import type { ChargedUnits } from "@/lib/contract/operations/usage/charged-units";
import type { UsageFigures, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import {
  divideRounded,
  formatAmount,
  NANO_PER_UNIT,
  type Nano,
  parseCheckedAmount,
  sumAmounts,
  toNano,
} from "@/lib/money/amount";
import { NANO_PER_PART } from "@/lib/money/charge";
import type { PriceSheet } from "../price-sheet";
import { type MixLine, otherModelsLine, usualLine } from "./work-mix";

/** Usage of the last seven days by model. */
export interface Week {
  /** The number of days with calls, from the first on. */
  readonly days: number;
  readonly summary: Pick<UsageSummary, "groups" | "rest">;
  /** The charged units of models that are priced by the unit; those that haven't been read are absent. */
  readonly units: ReadonlyMap<string, ChargedUnits["data"]>;
}

/** Returns the models of the week that are priced by the unit, whose units have to be read. */
export function listUnitModels({ groups }: Pick<UsageSummary, "groups">, sheet: PriceSheet): string[] {
  return groups.flatMap(({ id }) => (id !== null && sheet.get(id)?.perUnit ? [id] : []));
}

/**
 * Returns the average day of the last seven: calls per model, and their average size. Calls to models below the
 * largest, or without a price, have one line with what was charged for them, so that the day is whole.
 */
export function buildWeekMix({ summary, units, days }: Week, sheet: PriceSheet): readonly MixLine[] {
  const { groups, rest } = summary;
  const others = rest ? [rest.totals] : [];
  const lines = groups.flatMap(({ id, totals }) => {
    const found = id === null ? [] : buildLines(id, totals, units.get(id), sheet, days);
    if (found.length === 0) others.push(totals);
    return found;
  });
  const amount = sumAmounts(others.map((one) => parseCheckedAmount(one.amount)));
  if (amount === 0n) return lines;
  const calls = others.reduce((sum, { requests }) => sum + requests, 0);
  const costPerDay = toNano(divideRounded(amount, BigInt(days)));
  return [...lines, otherModelsLine(aDay(calls, days), costPerDay)];
}

function buildLines(
  id: string,
  totals: UsageFigures,
  units: ChargedUnits["data"] | undefined,
  sheet: PriceSheet,
  days: number,
): MixLine[] {
  const price = sheet.get(id);
  if (!price || totals.requests === 0) return [];
  if (price.perUnit) return toUnitLines(id, units ?? [], sheet, days);
  const each = (tokens: number) => Math.round(tokens / totals.requests);
  // Without prices of their own, tokens of audio are charged as those of text.
  const audioInput = price.audio ? each(totals.input_audio_tokens) : 0;
  const audioOutput = price.audio ? each(totals.output_audio_tokens) : 0;
  // Providers may count a token both as cached and as audio.
  const text = Math.max(0, each(totals.prompt_tokens) - audioInput);
  const cached = Math.min(each(totals.cached_tokens), text);
  return [
    {
      ...usualLine,
      model: id,
      calls: aDay(totals.requests, days),
      input: formatCount(text - cached),
      cached: formatCount(cached),
      output: formatCount(Math.max(0, each(totals.completion_tokens) - audioOutput)),
      audioInput: formatCount(audioInput),
      audioOutput: formatCount(audioOutput),
    },
  ];
}

/**
 * A line for the model, and one for each quality with its own price. Calls at a list price that no longer holds are the
 * model's.
 */
function toUnitLines(id: string, units: ChargedUnits["data"], sheet: PriceSheet, days: number): MixLine[] {
  const sums = new Map<string, { calls: number; units: Nano; unit: string }>();
  for (const one of units) {
    const quality = [...sheet].find(
      ([name, { perUnit }]) =>
        name.startsWith(`${id} `) && perUnit?.amount === parseCheckedAmount(one.list_price),
    );
    const isOwn = sheet.get(id)?.perUnit?.amount === parseCheckedAmount(one.list_price);
    const model = isOwn ? id : (quality?.[0] ?? id);
    const sum = sums.get(model);
    sums.set(model, {
      unit: one.unit,
      calls: (sum?.calls ?? 0) + one.calls,
      units: toNano((sum?.units ?? 0n) + parseCheckedAmount(one.units)),
    });
  }
  return [...sums].map(([model, sum]) => ({ ...usualLine, model, ...computeUnitsPerCall(sum, days) }));
}

type UnitSum = { calls: number; units: Nano; unit: string };

function computeUnitsPerCall({ calls, units, unit }: UnitSum, days: number) {
  // A call makes few images, and their average can't be typed: a line counts a call for each.
  if (unit === "image") return { calls: aDay(Number(units / NANO_PER_UNIT), days), units: "1" };
  const factor = unit === "character" ? NANO_PER_UNIT : NANO_PER_PART;
  const average = toNano(divideRounded(units, BigInt(calls) * factor) * factor);
  return { calls: aDay(calls, days), units: groupDigits(trimmed(formatAmount(average))) };
}

const aDay = (calls: number, days: number) => formatCount(Math.max(1, Math.round(calls / days)));
/** `1500.00` → `1500`: counts have no decimal places of their own. */
const trimmed = (decimal: string) => decimal.replace(/\.?0+$/, "");
