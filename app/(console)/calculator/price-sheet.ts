import type { OrganizationModel } from "@/lib/contract/operations/models";
import { amountOf, formatAmount, parseAmount } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";

/** Rates and prices by model id, in the order of the catalogue. */
export type PriceSheet = ReadonlyMap<string, PriceSnapshot>;

/** Maximum number of models in a link. */
const MAX_IN_LINK = 60;

/** Returns the current sheet with every model that has a price. */
export function sheetOf(models: readonly OrganizationModel[]): PriceSheet {
  const priced = models.flatMap(({ id, rate, price }): [string, PriceSnapshot][] =>
    price
      ? [
          [
            id,
            {
              inputPer1m: amountOf(price.input_per_1m),
              outputPer1m: amountOf(price.output_per_1m),
              rate: amountOf(rate),
            },
          ],
        ]
      : [],
  );
  return new Map(priced);
}

/** Serializes a sheet for a link, one line per model. `needed` models come first. */
export function writeSheet(sheet: PriceSheet, needed: readonly string[]): string {
  const ids = [...new Set([...needed, ...sheet.keys()])].slice(0, MAX_IN_LINK);
  return ids
    .flatMap((id) => {
      const price = sheet.get(id);
      if (!price) return [];
      return [[...[price.rate, price.inputPer1m, price.outputPer1m].map(formatAmount), id].join(" ")];
    })
    .join("\n");
}

/** Parses a sheet from a link. Skips invalid lines. */
export function readSheet(text: string): PriceSheet {
  const lines = text.split("\n").flatMap((line): [string, PriceSnapshot][] => {
    const [rate, inputPer1m, outputPer1m] = line.split(" ").map((part) => parseAmount(part));
    const id = line.split(" ").slice(3).join(" ");
    if (!id || !isPrice(rate) || rate === 0n || !isPrice(inputPer1m) || !isPrice(outputPer1m)) return [];
    return [[id, { rate, inputPer1m, outputPer1m }]];
  });
  return new Map(lines);
}

function isPrice<Amount extends bigint>(amount: Amount | null | undefined): amount is Amount {
  return amount !== null && amount !== undefined && amount >= 0n;
}

/** Returns true if two prices have the same rate and list prices. */
export function isSamePrice(one: PriceSnapshot | undefined, other: PriceSnapshot | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.rate === other.rate && one.inputPer1m === other.inputPer1m && one.outputPer1m === other.outputPer1m
  );
}

/** Returns the models of a link that have a different rate or price now, or are gone. */
export function changedSince(linked: PriceSheet, today: PriceSheet): string[] {
  return [...linked.keys()].filter((id) => !isSamePrice(linked.get(id), today.get(id)));
}

/** Returns the sheet with another price for one model. */
export function withPrice(sheet: PriceSheet, id: string, price: PriceSnapshot | null): PriceSheet {
  if (!price || !sheet.has(id)) return sheet;
  return new Map(sheet).set(id, price);
}
