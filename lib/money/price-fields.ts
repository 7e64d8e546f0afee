import type { Nano } from "./amount";
import type { PriceClasses } from "./charge";

/** The prices of classes of input, by their names in the API, the configuration file and the database. */
const inputFields = {
  cachedInputPer1m: "cached_input_per_1m",
  cacheWrite5mPer1m: "cache_write_5m_per_1m",
  cacheWrite1hPer1m: "cache_write_1h_per_1m",
} as const;

const longContextFields = {
  inputPer1m: "input_per_1m",
  outputPer1m: "output_per_1m",
  ...inputFields,
} as const;

type Texts<Fields extends Names> = {
  readonly [Field in Fields[keyof Fields]]?: string | undefined;
};

/** Prices of classes as they are written: each as text. */
export interface PriceFields extends Texts<typeof inputFields> {
  readonly long_context_from?: number | undefined;
  readonly long_context?: Texts<typeof longContextFields> | undefined;
  readonly priority_rate?: string | undefined;
  /** By the names of tools. */
  readonly tools?: Readonly<Record<string, string>> | undefined;
  readonly standard_rate?: string | undefined;
  readonly is_priority?: true | undefined;
}

/** @returns undefined if there are none. */
export function readPriceFields(
  fields: PriceFields,
  parse: (text: string) => Nano,
): PriceClasses | undefined {
  const { long_context, long_context_from: from, priority_rate, standard_rate, tools, is_priority } = fields;
  const classes: PriceClasses = {
    ...read(fields, inputFields, parse),
    ...(from !== undefined &&
      (long_context
        ? { longContext: { from, ...read(long_context, longContextFields, parse) } }
        : { longContextFrom: from })),
    ...(priority_rate !== undefined && { priorityRate: parse(priority_rate) }),
    ...(standard_rate !== undefined && { standardRate: parse(standard_rate) }),
    ...(tools && { tools: mapValues(tools, parse) }),
    ...(is_priority && { isPriority: is_priority }),
  };
  return Object.keys(classes).length > 0 ? classes : undefined;
}

export function writePriceFields(
  { longContext, longContextFrom, priorityRate, standardRate, tools, isPriority, ...prices }: PriceClasses,
  format: (amount: Nano) => string,
): PriceFields {
  const from = longContext?.from ?? longContextFrom;
  return {
    ...write(prices, inputFields, format),
    ...(from !== undefined && { long_context_from: from }),
    ...(longContext && { long_context: write(longContext, longContextFields, format) }),
    ...(priorityRate !== undefined && { priority_rate: format(priorityRate) }),
    ...(standardRate !== undefined && { standard_rate: format(standardRate) }),
    ...(tools && { tools: mapValues(tools, format) }),
    ...(isPriority && { is_priority: isPriority }),
  };
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

type Names = Readonly<Record<string, string>>;
type Amounts<Fields extends Names> = { readonly [Name in keyof Fields]?: Nano | undefined };

function read<Fields extends Names>(
  texts: Texts<Fields>,
  fields: Fields,
  parse: (text: string) => Nano,
): Amounts<Fields> {
  const amounts: { [Name in keyof Fields]?: Nano } = {};
  for (const name in fields) {
    const text = texts[fields[name] as Fields[keyof Fields]];
    if (text !== undefined) amounts[name] = parse(text);
  }
  return amounts;
}

function write<Fields extends Names>(
  amounts: Amounts<Fields>,
  fields: Fields,
  format: (amount: Nano) => string,
): Texts<Fields> {
  const texts: { [Field in Fields[keyof Fields]]?: string } = {};
  for (const name in fields) {
    const amount = amounts[name];
    if (amount !== undefined) texts[fields[name] as Fields[keyof Fields]] = format(amount);
  }
  return texts;
}
