import type { UnitPrice } from "@/lib/contract/operations/models/models";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import type { PriceFields } from "@/lib/money/price-fields";
import { formatCount } from "./group-digits";

/** Returns text such as "0.04 per image, hd 0.08": the standard price, then those of other qualities. */
export function describeUnitPrice({ unit, amount, qualities = {} }: UnitPrice): string {
  const others = Object.entries(qualities).map(([quality, price]) => `, ${quality} ${tidyAmount(price)}`);
  return `${tidyAmount(amount)} per ${unit}${others.join("")}`;
}

/** Formats with at least two decimal places, like all amounts. */
export function tidyAmount(decimal: string): string {
  return formatAmount(parseCheckedAmount(decimal));
}

/** The names of prices beside those of input and output, in their order. */
const classLabels = {
  cached_input_per_1m: "cached input",
  cache_write_5m_per_1m: "cache write (5 min)",
  cache_write_1h_per_1m: "cache write (1 h)",
} as const;

const longLabels = { input_per_1m: "input", output_per_1m: "output", ...classLabels } as const;

/** Returns text such as "cached input 0.50, above 200,000 tokens: input 10.00", or null without such prices. */
export function describePriceClasses(price: PriceFields): string | null {
  const { long_context_from: from, long_context = {}, priority_rate: priority, tools = {} } = price;
  const long = list(long_context, longLabels).join(", ");
  return (
    [
      ...list<keyof typeof classLabels>(price, classLabels),
      ...(from === undefined ? [] : [`above ${formatCount(from)} tokens: ${long}`]),
      ...(priority === undefined ? [] : [`priority rate ${tidyAmount(priority)}`]),
      ...Object.entries(tools).map(([name, amount]) => `${name} ${tidyAmount(amount)} a call`),
    ].join(", ") || null
  );
}

/** Each price beside those of input and output, by its name: "cache write (1 h)", "input above 200,000 tokens". */
export function listPriceClasses(price: PriceFields): ReadonlyMap<string, string> {
  const { long_context_from: from, long_context = {}, priority_rate: priority, tools = {} } = price;
  const named = <Names extends string>(
    prices: Readonly<Partial<Record<Names, string | undefined>>>,
    labels: Readonly<Record<Names, string>>,
    suffix = "",
  ) =>
    (Object.keys(labels) as Names[]).flatMap((name): [string, string][] => {
      const amount = prices[name];
      return amount === undefined ? [] : [[labels[name] + suffix, tidyAmount(amount)]];
    });
  return new Map([
    ...named<keyof typeof classLabels>(price, classLabels),
    ...(from === undefined ? [] : named(long_context, longLabels, ` above ${formatCount(from)} tokens`)),
    ...(priority === undefined ? [] : [["priority rate", tidyAmount(priority)] as const]),
    ...Object.entries(tools).map(([name, amount]) => [`a call of ${name}`, tidyAmount(amount)] as const),
  ]);
}

function list<Names extends string>(
  prices: Readonly<Partial<Record<Names, string | undefined>>>,
  labels: Readonly<Record<Names, string>>,
): string[] {
  return (Object.keys(labels) as Names[]).flatMap((name) => {
    const price = prices[name];
    return price === undefined ? [] : [`${labels[name]} ${tidyAmount(price)}`];
  });
}
