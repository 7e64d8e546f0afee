import { formatCount, groupDigits } from "@/components/ui/values/group-digits";
import type { ChargedUnits } from "@/lib/contract/operations/usage/charged-units";
import type { UsageFigures, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import {
  formatAmount,
  NANO_PER_UNIT,
  type Nano,
  parseCheckedAmount,
  sumAmounts,
  toNano,
} from "@/lib/money/amount";
import { NANO_PER_PART } from "@/lib/money/charge";
import { divideRounded } from "@/lib/money/rounding";
import type { PriceSheet } from "../price-sheet";
import { type MixLine, usualLine } from "./work-mix";

const DAYS = 7;

/** Usage of the last seven days by model. */
export interface Week {
  readonly summary: Pick<UsageSummary, "groups" | "rest">;
  /** The charged units of models that are priced by the unit; those that haven't been read are absent. */
  readonly units: ReadonlyMap<string, ChargedUnits["data"]>;
}

/** The average day of a week, and its calls that have no line: to models below the largest, or without a price. */
export interface WeekMix {
  readonly lines: readonly MixLine[];
  /** `costPerDay` is what was charged for them. Null if every call has a line. */
  readonly others: { readonly models: number; readonly costPerDay: Nano } | null;
}

/** Returns the models of the week that are priced by the unit, whose units have to be read. */
export function listUnitModels({ groups }: Pick<UsageSummary, "groups">, sheet: PriceSheet): string[] {
  return groups.flatMap(({ id }) => (id !== null && sheet.get(id)?.perUnit ? [id] : []));
}

/** Returns the average day of the last seven: calls per model, and their average size. */
export function buildWeekMix({ summary, units }: Week, sheet: PriceSheet): WeekMix {
  const { groups, rest } = summary;
  const others: { models: number; amount: Nano }[] = rest
    ? [{ models: rest.groups, amount: parseCheckedAmount(rest.totals.amount) }]
    : [];
  const lines = groups.flatMap(({ id, totals }) => {
    const found = id === null ? [] : buildLines(id, totals, units.get(id), sheet);
    const amount = parseCheckedAmount(totals.amount);
    if (found.length === 0 && amount > 0n) others.push({ models: 1, amount });
    return found;
  });
  if (others.length === 0) return { lines, others: null };
  const amount = sumAmounts(others.map((one) => one.amount));
  return {
    lines,
    others: {
      models: others.reduce((count, { models }) => count + models, 0),
      costPerDay: toNano(divideRounded(amount, BigInt(DAYS))),
    },
  };
}

function buildLines(
  id: string,
  totals: UsageFigures,
  units: ChargedUnits["data"] | undefined,
  sheet: PriceSheet,
): MixLine[] {
  const price = sheet.get(id);
  if (!price || totals.requests === 0) return [];
  if (price.perUnit) return toUnitLines(id, units ?? [], sheet);
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
      calls: aDay(totals.requests),
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
function toUnitLines(id: string, units: ChargedUnits["data"], sheet: PriceSheet): MixLine[] {
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
  return [...sums].map(([model, sum]) => ({ ...usualLine, model, ...computeUnitsPerCall(sum) }));
}

function computeUnitsPerCall({ calls, units, unit }: { calls: number; units: Nano; unit: string }) {
  // A call makes few images, and their average can't be typed: a line counts a call for each.
  if (unit === "image") return { calls: aDay(Number(units / NANO_PER_UNIT)), units: "1" };
  const factor = unit === "character" ? NANO_PER_UNIT : NANO_PER_PART;
  const average = toNano(divideRounded(units, BigInt(calls) * factor) * factor);
  return { calls: aDay(calls), units: groupDigits(trimmed(formatAmount(average))) };
}

const aDay = (calls: number) => formatCount(Math.max(1, Math.round(calls / DAYS)));
/** `1500.00` → `1500`: counts have no decimal places of their own. */
const trimmed = (decimal: string) => decimal.replace(/\.?0+$/, "");
