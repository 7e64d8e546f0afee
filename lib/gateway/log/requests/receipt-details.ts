import { type RateLimitField, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import type {
  RequestAttempt,
  RequestClient,
  RequestSettings,
} from "@/lib/contract/operations/calls/receipt-parts";
import { maskSecrets } from "../../secrets/secret";

/** The position of each field in a stored row. */
type Positions<Value> = { readonly [Field in keyof Value]-?: number };

/** A record as a JSON array: shorter than an object, since the names of its fields are not repeated. */
class StoredRow<Value extends object> {
  readonly #fields: readonly (keyof Value)[];

  /** Rows outlive the code that wrote them: a new field gets the next position, and no field another one's. */
  constructor(positions: Positions<Value>) {
    this.#fields = Object.keys(positions) as (keyof Value)[];
    if (this.#fields.some((field, position) => positions[field] !== position))
      throw new Error("Positions count up from 0, in the order of the fields");
  }

  get length(): number {
    return this.#fields.length;
  }

  write(value: Value): unknown[] {
    return this.append([], value);
  }

  /** Adds the row to the end of another one. A loop is three times as fast as `map` here, and every call is written. */
  append(row: unknown[], value: Value): unknown[] {
    const fields = this.#fields;
    for (let position = 0; position < fields.length; position++) {
      row.push(value[fields[position] as keyof Value]);
    }
    return row;
  }

  /** Reads the row that begins at an offset of another one. Fields that were added after it was written are null. */
  read(row: readonly unknown[], offset = 0): Value {
    const value: { [Field in keyof Value]?: unknown } = {};
    for (const [position, field] of this.#fields.entries()) value[field] = row[offset + position] ?? null;
    return value as Value;
  }
}

/** A rate limit's figures for a call: the use before it, and the call's demand. Null where the limit didn't apply. */
export interface LimitFigures {
  readonly used: number;
  readonly max: number;
  readonly needed: number;
}

/** The figures that admission's checks decided by. Checks that were not reached are absent. Amounts are nano-units. */
export interface CheckFigures {
  /** The process's calls in flight before this one, and their maximum. */
  readonly inFlight: readonly [calls: number, max: number];
  readonly available: bigint | null;
  /** Null without a spend limit, too. `project` is null for the organization's limit. */
  readonly spending: {
    readonly project: string | null;
    readonly spent: bigint;
    readonly limit: bigint;
  } | null;
  readonly limits: Readonly<Partial<Record<RateLimitField, LimitFigures>>> | null;
}

/** Details that are recorded for a call's receipt only; null where they were not recorded. */
export interface ReceiptDetails {
  readonly client: RequestClient | null;
  readonly settings: RequestSettings | null;
  readonly checks: CheckFigures | null;
  readonly attempts: readonly RequestAttempt[];
}

export const NO_RECEIPT_DETAILS: ReceiptDetails = {
  client: null,
  settings: null,
  checks: null,
  attempts: [],
};

/** The length to which texts of clients and providers are truncated. */
const MAX_TEXT_LENGTH = 200;

/** A client's or provider's text, truncated and with secrets masked. */
export function boundText(text: string | null): string | null {
  return text === null || text === "" ? null : maskSecrets(text.slice(0, MAX_TEXT_LENGTH));
}

const clientRow = new StoredRow<Omit<RequestClient, "run_by">>({
  endpoint: 0,
  user_agent: 1,
  client_request_id: 2,
  retry_count: 3,
  content_length: 4,
  idempotency_key_hash: 5,
});

/** The member that a call runs as: behind the client's own fields, where there is one. */
const runByRow = new StoredRow<NonNullable<RequestClient["run_by"]>>({ id: 0, name: 1 });

const settingsRow = new StoredRow<RequestSettings>({
  max_tokens: 0,
  temperature: 1,
  left_out: 2,
  lowered_to: 3,
  lowered_by: 4,
  prompt: 5,
});

const attemptRow = new StoredRow<RequestAttempt>({
  provider: 0,
  model: 1,
  started_ms: 2,
  reached_ms: 3,
  sent_ms: 4,
  answered_ms: 5,
  ended_ms: 6,
  status: 7,
  failure: 8,
  provider_request_id: 9,
  left_out: 10,
});

/** A number where that is exact: a bigint takes three times as long to write. */
type StoredAmount = number | string;

const checksRow = new StoredRow<{
  readonly calls: number;
  readonly maxCalls: number;
  readonly available: StoredAmount | null;
  readonly spending: readonly unknown[] | null;
  /** The field of each limit followed by its figures, in one array. */
  readonly limits: readonly unknown[] | null;
}>({ calls: 0, maxCalls: 1, available: 2, spending: 3, limits: 4 });

const spendingRow = new StoredRow<{
  readonly project: string | null;
  readonly spent: StoredAmount;
  readonly limit: StoredAmount;
}>({ project: 0, spent: 1, limit: 2 });

const limitRow = new StoredRow<LimitFigures>({ used: 0, max: 1, needed: 2 });

const detailsRow = new StoredRow<{
  readonly client: readonly unknown[] | null;
  readonly settings: readonly unknown[] | null;
  readonly checks: readonly unknown[] | null;
  readonly attempts: readonly (readonly unknown[])[];
}>({ client: 0, settings: 1, checks: 2, attempts: 3 });

/** Encodes the details as a compact JSON array, since every call stores one. */
export function writeReceiptDetails({ client, settings, checks, attempts }: ReceiptDetails): string {
  return JSON.stringify(
    detailsRow.write({
      client: client && writeClient(client),
      settings: settings && settingsRow.write(settings),
      checks: checks && writeChecks(checks),
      attempts: attempts.map((attempt) => attemptRow.write(attempt)),
    }),
  );
}

export function readReceiptDetails(text: string | null): ReceiptDetails {
  if (text === null) return NO_RECEIPT_DETAILS;
  const { client, settings, checks, attempts } = detailsRow.read(JSON.parse(text));
  return {
    client: client && readClient(client),
    settings: settings && settingsRow.read(settings),
    checks: checks && readChecks(checks),
    attempts: attempts.map(readAttempt),
  };
}

function readAttempt(row: readonly unknown[]): RequestAttempt {
  const attempt = attemptRow.read(row);
  // Earlier versions left nothing out.
  return { ...attempt, left_out: attempt.left_out ?? [] };
}

function writeClient(client: RequestClient): unknown[] {
  const row = clientRow.write(client);
  return client.run_by ? runByRow.append(row, client.run_by) : row;
}

function readClient(row: readonly unknown[]): RequestClient {
  const isRunAs = row.length > clientRow.length;
  return { ...clientRow.read(row), run_by: isRunAs ? runByRow.read(row, clientRow.length) : null };
}

function writeChecks({ inFlight: [calls, maxCalls], available, spending, limits }: CheckFigures): unknown[] {
  return checksRow.write({
    calls,
    maxCalls,
    available: available === null ? null : toStoredAmount(available),
    spending:
      spending &&
      spendingRow.write({
        project: spending.project,
        spent: toStoredAmount(spending.spent),
        limit: toStoredAmount(spending.limit),
      }),
    limits: limits && writeLimits(limits),
  });
}

function readChecks(row: readonly unknown[]): CheckFigures {
  const { calls, maxCalls, available, spending, limits } = checksRow.read(row);
  return {
    inFlight: [calls, maxCalls],
    available: available === null ? null : BigInt(available),
    spending: spending && readSpending(spending),
    limits: limits && readLimits(limits),
  };
}

function readSpending(row: readonly unknown[]): CheckFigures["spending"] {
  const { project, spent, limit } = spendingRow.read(row);
  return { project, spent: BigInt(spent), limit: BigInt(limit) };
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

function toStoredAmount(amount: bigint): StoredAmount {
  return amount <= MAX_EXACT && amount >= -MAX_EXACT ? Number(amount) : `${amount}`;
}

function writeLimits(limits: NonNullable<CheckFigures["limits"]>): unknown[] {
  const row: unknown[] = [];
  for (const field of rateLimitFields) {
    const figures = limits[field];
    if (!figures) continue;
    row.push(field);
    limitRow.append(row, figures);
  }
  return row;
}

function readLimits(row: readonly unknown[]): NonNullable<CheckFigures["limits"]> {
  const limits: Partial<Record<RateLimitField, LimitFigures>> = {};
  for (let at = 0; at < row.length; at += 1 + limitRow.length) {
    limits[row[at] as RateLimitField] = limitRow.read(row, at + 1);
  }
  return limits;
}
