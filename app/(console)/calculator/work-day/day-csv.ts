import { writeCsvLine } from "@/lib/contract/csv";
import { formatAmount, type Nano, toNano } from "@/lib/money/amount";
import { computeCharge, PARTS_PER_UNIT } from "@/lib/money/charge";
import { parseTypedCount } from "../calculate";
import type { PriceSheet, SheetPrice } from "../price-sheet";
import {
  computeLineCost,
  computeLineUsage,
  DAYS_OF_MONTH,
  type MixLine,
  OTHER_MODELS,
  parseLineAmount,
  parseShare,
} from "./work-mix";

const columns = [
  "model",
  "calls_per_day",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "units",
  "unit",
  "rate",
  "input_per_1m",
  "output_per_1m",
  "unit_price",
  "cost_per_call",
  "cost_per_day",
  `cost_per_${DAYS_OF_MONTH}_days`,
];
/** Columns that are written if a model of the mix has a batch rate. */
const batchColumns = ["percent_in_batches", "batch_rate", "cost_per_batch_line"];

/** Columns that are written if a model of the mix has prices of audio. */
const audioColumns = [
  "audio_input_tokens",
  "audio_output_tokens",
  "audio_input_per_1m",
  "audio_output_per_1m",
];

/** Columns that are written if a model of the mix has prices of cached input or of writes to a cache. */
const classColumns = ["cache_write_tokens", "cached_input_per_1m", "cache_write_5m_per_1m"];

/** Returns the mix as CSV with exact amounts. A linked sheet adds the cost at the time of the open link. */
export function writeDay(mix: readonly MixLine[], sheet: PriceSheet, linked: PriceSheet | null): string {
  const hasBatches = mix.some(({ model }) => sheet.get(model)?.batchRate !== undefined);
  const hasAudio = mix.some(({ model }) => sheet.get(model)?.audio);
  const hasClasses = mix.some(({ model }) => sheet.get(model)?.classes);
  const added = [
    ...(hasBatches ? batchColumns : []),
    ...(hasAudio ? audioColumns : []),
    ...(hasClasses ? classColumns : []),
    ...(linked ? ["cost_per_day_as_computed"] : []),
  ];
  const head = writeCsvLine([...columns, ...added]);
  const lines = mix.flatMap((line) => {
    const price = sheet.get(line.model);
    if (line.model === OTHER_MODELS)
      return [writeCsvLine(toOtherCells(line, sheet, columns.length + added.length))];
    if (!price) return [];
    const then = linked ? [written(computeLineCost(line, linked))] : [];
    const batched = hasBatches ? toBatchCells(line, price) : [];
    const audio = hasAudio ? toAudioCells(line, price) : [];
    const classes = hasClasses ? toClassCells(line, price) : [];
    const cells = buildCells(line, price, computeLineCost(line, sheet));
    return [writeCsvLine([...cells, ...batched, ...audio, ...classes, ...then])];
  });
  return head + lines.join("");
}

/** What was charged for all other models: a cost without prices. */
function toOtherCells(line: MixLine, sheet: PriceSheet, count: number): (number | string | null)[] {
  const cost = computeLineCost(line, sheet);
  const month = cost === null ? null : toNano(cost * BigInt(DAYS_OF_MONTH));
  const known: Readonly<Record<string, number | string | null>> = {
    model: line.model,
    calls_per_day: parseTypedCount(line.calls).value,
    cost_per_day: written(cost),
    [`cost_per_${DAYS_OF_MONTH}_days`]: written(month),
  };
  return Array.from({ length: count }, (_, index) => known[columns[index] ?? ""] ?? null);
}

function buildCells(line: MixLine, price: SheetPrice, cost: Nano | null): (number | string | null)[] {
  const { perUnit, rate, inputPer1m, outputPer1m } = price;
  const parse = (name: "input" | "cached" | "output" | "units") => parseLineAmount(line, name, price).value;
  const tokens = perUnit ? [null, null, null] : [parse("input"), parse("cached"), parse("output")];
  const units = perUnit ? [(parse("units") ?? 0) / PARTS_PER_UNIT, perUnit.unit] : [null, null];
  const prices = perUnit ? [null, null, perUnit.amount] : [inputPer1m, outputPer1m, null];
  const usage = computeLineUsage(line, price);
  const month = cost === null ? null : toNano(cost * BigInt(DAYS_OF_MONTH));
  const costs = [usage && computeCharge(usage, price), cost, month];
  return [
    line.model,
    parseTypedCount(line.calls).value,
    ...tokens,
    ...units,
    ...[rate, ...prices, ...costs].map(written),
  ];
}

function toBatchCells(line: MixLine, price: SheetPrice): (number | string | null)[] {
  const { batchRate } = price;
  if (batchRate === undefined) return batchColumns.map(() => null);
  const usage = computeLineUsage(line, price);
  const cost = usage && computeCharge(usage, { ...price, rate: batchRate });
  return [parseShare(line.batched).value, written(batchRate), written(cost)];
}

function toAudioCells(line: MixLine, price: SheetPrice): (number | string | null)[] {
  const { audio } = price;
  if (!audio) return audioColumns.map(() => null);
  const tokens = (["audioInput", "audioOutput"] as const).map(
    (name) => parseLineAmount(line, name, price).value,
  );
  return [...tokens, written(audio.inputPer1m), written(audio.outputPer1m)];
}

function toClassCells(line: MixLine, price: SheetPrice): (number | string | null)[] {
  const { cachedInputPer1m = null, cacheWrite5mPer1m = null } = price.classes ?? {};
  const tokens = cacheWrite5mPer1m === null ? null : parseLineAmount(line, "written", price).value;
  return [tokens, written(cachedInputPer1m), written(cacheWrite5mPer1m)];
}

const written = (amount: Nano | null) => (amount === null ? null : formatAmount(amount));
