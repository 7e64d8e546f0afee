import { type CarriedMeasure, carriedMeasures } from "@/lib/contract/calls/rate-limit-table";
import { readNano, toNano } from "@/lib/money/amount";
import {
  type AudioPriceSnapshot,
  type AudioTokens,
  findCallPrice,
  listPricedInput,
  type PriceSnapshot,
  type ReportedUsage,
  type TokenUsage,
} from "@/lib/money/charge";
import { type PriceFields, readPriceFields, writePriceFields } from "@/lib/money/price-fields";
import type { HoldDraft, Settlement } from "./funds";
import type { Payment } from "./payments/posting";

/** A row of `ledger_entries`; see `money-schema` for units. */
export interface LedgerRow extends ChainedEntry {
  readonly kind: "payment" | "charge" | "provider_variance" | "correction";
  readonly id: string;
  readonly amount: bigint;
  readonly created_at_ms: number;
}

/** The columns that the variance of a call repeats from its charge. */
const VARIANCE_COLUMNS: readonly ChainedColumn[] = [
  "basis",
  "prompt_tokens",
  "completion_tokens",
  "request_id",
  "project_id",
  "key_id",
  "model",
  "input_per_1m",
  "output_per_1m",
  "rate",
];

/** The charge of a call, which is never more than its hold. */
export function describeCharge(hold: HoldDraft, settlement: Settlement): LedgerRow {
  const { entryId, charge, usage, basis, end } = settlement;
  const { amount: held } = hold;
  const price = findCallPrice(hold.price, usage);
  const { perUnit } = price;
  return {
    kind: "charge",
    id: entryId,
    amount: charge < held ? charge : held,
    created_at_ms: end.atMs,
    basis,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    request_id: hold.requestId,
    project_id: hold.projectId,
    key_id: hold.keyId,
    model: hold.model,
    input_per_1m: price.inputPer1m,
    output_per_1m: price.outputPer1m,
    rate: price.rate,
    held,
    started_at_ms: hold.createdAtMs,
    stream: Number(end.stream),
    outcome: end.outcome,
    status: end.status,
    estimated_tokens: end.estimatedTokens,
    first_byte_ms: end.firstByteMs,
    duration_ms: end.durationMs,
    provider: end.provider,
    cached_tokens: usage.cachedTokens ?? null,
    unit: perUnit?.unit ?? null,
    units: perUnit ? (usage.units ?? 0) : null,
    unit_price: perUnit?.amount ?? null,
    batch_id: hold.batchId ?? null,
    audio: writeAudio(price, usage),
    counted_tokens: findCountedTokens(settlement),
    classes: writeClasses(price, usage),
  };
}

/** Null where all tokens count in the limits, as they nearly always do. */
function findCountedTokens({ usage, countedTokens }: Settlement): number | null {
  const tokens = usage.promptTokens + usage.completionTokens;
  return countedTokens === undefined || countedTokens === tokens ? null : countedTokens;
}

export function toPaymentRow({ id, amount, createdAtMs, reference, note, paidOn }: Payment): LedgerRow {
  const text = { reference, note: note ?? null, paid_on: paidOn ?? null };
  return { kind: "payment", id, amount, created_at_ms: createdAtMs, ...text };
}

/** What a call cost beyond its hold. */
export function describeVariance(charge: LedgerRow, id: string, amount: bigint): LedgerRow {
  const repeated = Object.fromEntries(VARIANCE_COLUMNS.map((column) => [column, charge[column]]));
  return { ...repeated, kind: "provider_variance", id, amount, created_at_ms: charge.created_at_ms };
}

/**
 * The columns of an entry that its batch's hash covers, in this order; see `ledger_entries` for units. The last columns
 * were added later: trailing nulls in them are left out, so that the hashes of older entries stay valid.
 */
export const CHAINED_COLUMNS = [
  "kind",
  "id",
  "amount",
  "created_at_ms",
  "basis",
  "prompt_tokens",
  "completion_tokens",
  "request_id",
  "project_id",
  "key_id",
  "model",
  "input_per_1m",
  "output_per_1m",
  "rate",
  "held",
  "started_at_ms",
  "stream",
  "outcome",
  "status",
  "estimated_tokens",
  "first_byte_ms",
  "duration_ms",
  "reference",
  "provider",
  "cached_tokens",
  "unit",
  "units",
  "unit_price",
  "note",
  "corrects",
  "reason",
  "batch_id",
  "audio",
  "counted_tokens",
  "classes",
  "paid_on",
] as const;

/** These columns of each entry are always hashed, even if they are null. */
const ALWAYS_CHAINED = CHAINED_COLUMNS.indexOf("reference") + 1;

export type ChainedColumn = (typeof CHAINED_COLUMNS)[number];
/** Whole numbers are number or bigint, depending on the connection. */
type ChainedValue = string | number | bigint | null;
/** An entry by column. The columns that it leaves out are null. */
export type ChainedEntry = Readonly<Partial<Record<ChainedColumn, ChainedValue>>>;
/** An entry in the order of `CHAINED_COLUMNS`. */
export type ChainedValues = readonly ChainedValue[];

export function toChainedValues(entry: ChainedEntry): ChainedValues {
  return CHAINED_COLUMNS.map((column) => entry[column] ?? null);
}

/** The hash that the first batch is chained to. */
export const FIRST_BATCH_HASH = new Uint8Array(32);

const [NULL, INTEGER, TEXT] = [0, 1, 2] as const;
const TWO_TO_32 = 2 ** 32;

/** A reused buffer that entries are written into: formatting their numbers as text would cost four times as much. */
let scratch = Buffer.alloc(64 * 1024);

/**
 * SHA-256 of the previous batch's hash followed by the batch's entries. Each value follows a byte with its type: an
 * integer in 64 bits, or text in UTF-8 after its 32-bit length. The hash is stored in the last entry.
 */
export function hashBatch(previous: Uint8Array, entries: readonly ChainedValues[]): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256").update(previous);
  let end = 0;
  for (const values of entries) {
    if (end > scratch.length / 2) {
      hasher.update(scratch.subarray(0, end));
      end = 0;
    }
    end = write(values, end);
  }
  return new Uint8Array(hasher.update(scratch.subarray(0, end)).digest());
}

/** SHA-256 of an entry alone, which a batch of several processes' entries is hashed from. */
export function hashEntry(entry: ChainedValues): Uint8Array {
  const end = write(entry, 0);
  return new Uint8Array(new Bun.CryptoHasher("sha256").update(scratch.subarray(0, end)).digest());
}

/**
 * The hash of a batch in a store of several processes: SHA-256 of the previous batch's hash followed by the hashes of
 * the entries, which each process computes before it waits for its turn.
 */
export function hashBatchOfHashes(previous: Uint8Array, entries: readonly ChainedValues[]): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256").update(previous);
  for (const entry of entries) hasher.update(hashEntry(entry));
  return new Uint8Array(hasher.digest());
}

/** @returns the offset after the values. */
function write(values: ChainedValues, start: number): number {
  makeRoom(values, start);
  let end = start;
  let count = values.length;
  while (count > ALWAYS_CHAINED && values[count - 1] === null) count--;
  for (let index = 0; index < count; index++) {
    const value = values[index] as ChainedValue;
    if (typeof value === "string") {
      const bytes = scratch.write(value, end + 5);
      scratch[end] = TEXT;
      scratch.writeUInt32BE(bytes, end + 1);
      end += 5 + bytes;
    } else if (value === null) scratch[end++] = NULL;
    else {
      scratch[end] = INTEGER;
      if (typeof value === "bigint") scratch.writeBigInt64BE(value, end + 1);
      else {
        scratch.writeInt32BE(Math.floor(value / TWO_TO_32), end + 1);
        scratch.writeUInt32BE(value >>> 0, end + 5);
      }
      end += 9;
    }
  }
  return end;
}

function makeRoom(values: ChainedValues, start: number): void {
  let max = start;
  for (const value of values) max += typeof value === "string" ? 5 + 3 * value.length : 9;
  if (max > scratch.length) scratch = Buffer.concat([scratch], 2 * max);
}

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
function writeClasses(price: PriceSnapshot, usage: ReportedUsage): string | null {
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

interface StoredPrice {
  /** The amounts × 10^9, as text. */
  readonly input_per_1m: string;
  readonly output_per_1m: string;
}

/** The column `audio` of a hold: its prices of audio as JSON; null if it has none. */
export function writeAudioPrice({ audio }: PriceSnapshot): string | null {
  return audio ? JSON.stringify(toStoredPrice(audio)) : null;
}

export function readAudioPrice(column: string | null): Pick<PriceSnapshot, "audio"> {
  if (column === null) return {};
  const { input_per_1m, output_per_1m } = JSON.parse(column) as Partial<StoredPrice>;
  if (input_per_1m === undefined || output_per_1m === undefined) return {};
  return { audio: { inputPer1m: toNano(BigInt(input_per_1m)), outputPer1m: toNano(BigInt(output_per_1m)) } };
}

/**
 * The column `audio` of a charge: tokens of audio, and their prices if they have any, as JSON; null without such
 * tokens.
 */
function writeAudio({ audio: price }: PriceSnapshot, { audio: tokens }: TokenUsage): string | null {
  if (!tokens) return null;
  const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = tokens;
  return JSON.stringify({ prompt_tokens, completion_tokens, ...(price && toStoredPrice(price)) });
}

export function readAudioTokens(column: string | null): { readonly audio?: AudioTokens } {
  if (column === null) return {};
  const tokens = JSON.parse(column) as Readonly<Record<"prompt_tokens" | "completion_tokens", number>>;
  return { audio: { promptTokens: tokens.prompt_tokens, completionTokens: tokens.completion_tokens } };
}

function toStoredPrice({ inputPer1m, outputPer1m }: AudioPriceSnapshot): StoredPrice {
  return { input_per_1m: String(inputPer1m), output_per_1m: String(outputPer1m) };
}

/** The columns of `carried_media`, by measure. */
export const carriedColumns = {
  images: "images",
  audioMegabytes: "audio_megabytes",
} as const satisfies Readonly<Record<CarriedMeasure, string>>;

export type CarriedColumn = (typeof carriedColumns)[CarriedMeasure];

/** The amounts of a call, all null if it carried no media. */
export type CarriedRow = Record<CarriedColumn, bigint | null>;

export function readCarried(row: CarriedRow): HoldDraft["carried"] {
  const amounts = carriedMeasures.map(
    (measure) => [measure, Number(row[carriedColumns[measure]] ?? 0)] as const,
  );
  const carried = amounts.filter(([, amount]) => amount > 0);
  return carried.length > 0 ? Object.fromEntries(carried) : undefined;
}
