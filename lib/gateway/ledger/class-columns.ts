import { readNano } from "@/lib/money/amount";
import { listPricedInput, type PriceSnapshot, type ReportedUsage } from "@/lib/money/charge";
import { type PriceFields, readPriceFields, writePriceFields } from "@/lib/money/price-fields";

/** The column `classes` of a hold: its prices of classes × 10^9 as JSON; null if it has none. */
export function writePriceClasses({ classes }: PriceSnapshot): string | null {
  return classes ? JSON.stringify(writePriceFields(classes, String)) : null;
}

/** Reads the prices from the column of a hold or of a charge. */
export function readPriceClasses(column: string | null): Pick<PriceSnapshot, "classes"> {
  const classes = column === null ? undefined : readPriceFields(JSON.parse(column) as PriceFields, readNano);
  return classes ? { classes } : {};
}

/** Usage that a charge has no other column for, by its name in the column `classes`. */
const usageFields = {
  cacheWriteTokens: "cache_write_tokens",
  cacheWrite1hTokens: "cache_write_1h_tokens",
  reasoningTokens: "reasoning_tokens",
  isCacheContradicted: "is_cache_contradicted",
  toolCalls: "tool_calls",
} as const;

export type ClassUsage = Pick<ReportedUsage, keyof typeof usageFields>;

/**
 * The column `classes` of a charge: its tokens by class, and the prices of those that had one of their own, as JSON;
 * null if there are neither.
 * @param price as `findCallPrice` returns it.
 */
export function writeClasses(price: PriceSnapshot, usage: ReportedUsage): string | null {
  const stored: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(usageFields)) {
    const value = usage[name as keyof ClassUsage];
    if (value) stored[field] = value;
  }
  const { longContextFrom, isPriority, tools = {} } = price.classes ?? {};
  const inputs = listPricedInput(usage, price).map(({ name, per1m }) => [name, per1m] as const);
  const called = Object.entries(tools).filter(([name]) => usage.toolCalls?.[name]);
  const prices = {
    ...Object.fromEntries(inputs),
    longContextFrom,
    isPriority,
    ...(called.length > 0 && { tools: Object.fromEntries(called) }),
  };
  Object.assign(stored, writePriceFields(prices, String));
  return Object.keys(stored).length > 0 ? JSON.stringify(stored) : null;
}

/** The usage in the column `classes` of a charge. */
export function readClassUsage(column: string | null): ClassUsage {
  if (column === null) return {};
  const stored = JSON.parse(column) as Readonly<Record<string, unknown>>;
  const known = Object.entries(usageFields).filter(([, field]) => field in stored);
  return Object.fromEntries(known.map(([name, field]) => [name, stored[field]]));
}
