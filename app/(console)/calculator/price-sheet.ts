import { readTokenPrices } from "@/components/models/read-prices";
import { priceUnits } from "@/lib/contract/calls/model-families";
import { modelPrice, type OrganizationModel } from "@/lib/contract/operations/models/models";
import { formatAmount, type Nano, parseAmount, parseCheckedAmount, ZERO } from "@/lib/money/amount";
import type { PriceClasses, PriceSnapshot } from "@/lib/money/charge";
import { readPriceFields, writePriceFields } from "@/lib/money/price-fields";

/** A model's prices, with the rate of batch lines where it has its own. */
export interface SheetPrice extends PriceSnapshot {
  readonly batchRate?: Nano;
}

/**
 * Rates and prices by model id, in the order of the catalogue. A quality with its own price follows the id: `painter
 * hd`.
 */
export type PriceSheet = ReadonlyMap<string, SheetPrice>;

/** Maximum number of models in a link. */
const MAX_IN_LINK = 60;
const allUnits: readonly string[] = Object.values(priceUnits).flat();

/** Returns the current sheet with every model that has a price, and each quality that has its own. */
export function buildPriceSheet(models: readonly OrganizationModel[]): PriceSheet {
  return new Map(models.flatMap(listPrices));
}

function listPrices(model: OrganizationModel): [string, SheetPrice][] {
  const { id, rate, batch_rate, unit_price } = model;
  if (unit_price) {
    const { unit, amount, qualities = {} } = unit_price;
    const others = Object.entries(qualities).map(([quality, own]) => [`${id} ${quality}`, own] as const);
    return [[id, amount] as const, ...others].map(([name, own]) => [
      name,
      byUnit(parseCheckedAmount(rate), unit, parseCheckedAmount(own)),
    ]);
  }
  const prices = readTokenPrices(model);
  if (!prices) return [];
  return [[id, { ...prices, ...(batch_rate !== null && { batchRate: parseCheckedAmount(batch_rate) }) }]];
}

function byUnit(rate: Nano, unit: string, amount: Nano): PriceSnapshot {
  return { inputPer1m: ZERO, outputPer1m: ZERO, rate, perUnit: { unit, amount } };
}

/** Serializes a sheet for a link, one line per model. `needed` models come first. */
export function writeSheet(sheet: PriceSheet, needed: readonly string[]): string {
  const ids = [...new Set([...needed, ...sheet.keys()])].slice(0, MAX_IN_LINK);
  return ids
    .flatMap((id) => {
      const price = sheet.get(id);
      return price ? [[formatRates(price), ...formatListPrices(price), id].join(" ")] : [];
    })
    .join("\n");
}

/** `0.5`, or `0.5/0.25` with a batch rate; then the prices of classes, if there are any. */
function formatRates({ rate, batchRate, classes }: SheetPrice): string {
  const rates = [rate, ...(batchRate === undefined ? [] : [batchRate])].map(formatAmount).join("/");
  if (!classes) return rates;
  return `${rates}${batchRate === undefined ? "/" : ""}/${formatClasses(classes)}`;
}

function formatClasses(classes: PriceClasses): string {
  return encodeURIComponent(JSON.stringify(writePriceFields(classes, formatAmount)));
}

/** Null for what no sheet has written. */
function parseClasses(text: string | undefined): PriceClasses | null {
  if (!text) return null;
  try {
    const fields = modelPrice.parse({ ...NO_PRICES, ...JSON.parse(decodeURIComponent(text)) });
    return readPriceFields(fields, parseCheckedAmount) ?? null;
  } catch {
    return null;
  }
}

const NO_PRICES = { input_per_1m: "0", output_per_1m: "0" };

/** `1.00 2.00` for tokens, `1.00/40.00 2.00/80.00` with those of audio, `0.04 image` for units. */
function formatListPrices(price: PriceSnapshot): readonly [string, string] {
  const { inputPer1m, outputPer1m, perUnit, audio } = price;
  if (perUnit) return [formatAmount(perUnit.amount), perUnit.unit];
  const write = (text: Nano, sound?: Nano) =>
    [text, ...(sound === undefined ? [] : [sound])].map(formatAmount).join("/");
  return [write(inputPer1m, audio?.inputPer1m), write(outputPer1m, audio?.outputPer1m)];
}

/** Parses a sheet from a link. Skips invalid lines. */
export function parseSheet(text: string): PriceSheet {
  const lines = text.split("\n").flatMap((line): [string, SheetPrice][] => {
    const [rates = "", first = "", second = "", ...rest] = line.split(" ");
    const id = rest.join(" ");
    const [rate, batchRate] = parsePair(rates);
    const [amount, audioInput] = parsePair(first);
    if (!id || !isPrice(rate) || rate === 0n || !isPrice(amount)) return [];
    if (allUnits.includes(second)) return [[id, byUnit(rate, second, amount)]];
    const [outputPer1m, audioOutput] = parsePair(second);
    if (!isPrice(outputPer1m)) return [];
    const hasAudio = isPrice(audioInput) && isPrice(audioOutput);
    const classes = parseClasses(rates.split("/")[2]);
    const others = {
      ...(classes && { classes }),
      ...(isPrice(batchRate) && { batchRate }),
      ...(hasAudio && { audio: { inputPer1m: audioInput, outputPer1m: audioOutput } }),
    };
    return [[id, { rate, inputPer1m: amount, outputPer1m, ...others }]];
  });
  return new Map(lines);
}

/** One amount, or two separated by `/`; null for each that is invalid, undefined for a second one that is absent. */
function parsePair(text: string): readonly [Nano | null, Nano | null | undefined] {
  const [first = "", second] = text.split("/");
  return [parseAmount(first), second === undefined ? undefined : parseAmount(second)];
}

function isPrice<Amount extends bigint>(amount: Amount | null | undefined): amount is Amount {
  return amount !== null && amount !== undefined && amount >= 0n;
}

/** Returns true if two prices have the same rate and list prices. */
function isSamePrice(one: SheetPrice | undefined, other: SheetPrice | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.rate === other.rate &&
    one.batchRate === other.batchRate &&
    one.inputPer1m === other.inputPer1m &&
    one.outputPer1m === other.outputPer1m &&
    formatClasses(one.classes ?? {}) === formatClasses(other.classes ?? {}) &&
    one.audio?.inputPer1m === other.audio?.inputPer1m &&
    one.audio?.outputPer1m === other.audio?.outputPer1m &&
    one.perUnit?.unit === other.perUnit?.unit &&
    one.perUnit?.amount === other.perUnit?.amount
  );
}

/** Returns the models of a link that have a different rate or price now, or are gone. */
export function changedSince(linked: PriceSheet, today: PriceSheet): string[] {
  return [...linked.keys()].filter((id) => !isSamePrice(linked.get(id), today.get(id)));
}

/** Returns the sheet with another price for one model, whose batch rate and other prices stay. */
export function withPrice(sheet: PriceSheet, id: string, price: PriceSnapshot | null): PriceSheet {
  const present = sheet.get(id);
  if (!price || !present) return sheet;
  const { batchRate, audio, classes } = present;
  const others = {
    ...(batchRate !== undefined && { batchRate }),
    ...(audio && { audio }),
    ...(classes && { classes }),
  };
  return new Map(sheet).set(id, { ...price, ...others });
}
