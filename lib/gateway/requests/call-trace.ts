import type { RequestAttempt, RequestClient, RequestSettings } from "@/lib/contract/operations/receipt-parts";
import { type RateLimitField, rateLimitFields } from "@/lib/contract/rate-limit-table";
import { maskSecrets } from "../secrets/mask-secrets";

/** A rate limit's figures for a call: the use before it, and the call's demand. Null where the limit didn't apply. */
export interface LimitFigures {
  readonly used: number;
  readonly max: number;
  readonly needed: number;
}

/** The figures that admission's checks decided by. Checks that were not reached are absent. Amounts are nano-units. */
export interface CheckFigures {
  /** The key's calls in flight, and their maximum. */
  readonly inFlight: readonly [calls: number, max: number];
  readonly available: bigint | null;
  /** Also null without a spend limit. `project` is null for the organization's. */
  readonly spending: {
    readonly project: string | null;
    readonly spent: bigint;
    readonly limit: bigint;
  } | null;
  readonly limits: Readonly<Partial<Record<RateLimitField, LimitFigures>>> | null;
}

/** Details that are recorded for a call's receipt only; null where they were not recorded. */
export interface CallTrace {
  readonly client: RequestClient | null;
  readonly settings: RequestSettings | null;
  readonly checks: CheckFigures | null;
  readonly attempts: readonly RequestAttempt[];
}

export const NO_TRACE: CallTrace = { client: null, settings: null, checks: null, attempts: [] };

/** Longer texts of clients and providers are truncated. */
const MAX_TEXT_LENGTH = 200;

/** A client's or provider's text, truncated and with secrets masked. */
export function boundedText(text: string | null): string | null {
  return text === null || text === "" ? null : maskSecrets(text.slice(0, MAX_TEXT_LENGTH));
}

type Row = readonly [
  client: readonly unknown[] | null,
  settings: readonly unknown[] | null,
  checks: readonly unknown[] | null,
  attempts: readonly (readonly unknown[])[],
];

/** Encodes a trace as a compact JSON array, since every call stores one. */
export function writeTrace({ client, settings, checks, attempts }: CallTrace): string {
  const row: Row = [
    client && [
      client.endpoint,
      client.user_agent,
      client.client_request_id,
      client.retry_count,
      client.content_length,
      client.idempotency_key_hash,
      ...(client.run_by ? [client.run_by.id, client.run_by.name] : []),
    ],
    settings && [settings.max_tokens, settings.temperature],
    checks && [
      ...checks.inFlight,
      checks.available === null ? null : exact(checks.available),
      checks.spending && [checks.spending.project, `${checks.spending.spent}`, `${checks.spending.limit}`],
      checks.limits && limitRow(checks.limits),
    ],
    attempts.map((one) => [
      one.provider,
      one.model,
      one.started_ms,
      one.reached_ms,
      one.sent_ms,
      one.answered_ms,
      one.ended_ms,
      one.status,
      one.failure,
      one.provider_request_id,
    ]),
  ];
  return JSON.stringify(row);
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** An amount as a number where that is exact: a bigint takes three times as long to write. */
function exact(amount: bigint): number | string {
  return amount <= MAX_EXACT && amount >= -MAX_EXACT ? Number(amount) : `${amount}`;
}

function limitRow(limits: NonNullable<CheckFigures["limits"]>): unknown[] {
  const row: unknown[] = [];
  for (const field of rateLimitFields) {
    const figures = limits[field];
    if (figures) row.push(field, figures.used, figures.max, figures.needed);
  }
  return row;
}

export function readTrace(text: string | null): CallTrace {
  if (text === null) return NO_TRACE;
  const [client, settings, checks, attempts] = JSON.parse(text) as Row;
  return {
    client: client && readClient(client as ClientRow),
    settings: settings && { max_tokens: settings[0] as number, temperature: settings[1] as number },
    checks: checks && readChecks(checks as ChecksRow),
    attempts: attempts.map((row) => readAttempt(row as AttemptRow)),
  };
}

type ClientRow = readonly [
  RequestClient["endpoint"],
  string | null,
  string | null,
  number | null,
  number | null,
  string | null,
  runById?: string,
  runByName?: string,
];

function readClient(row: ClientRow): RequestClient {
  const [endpoint, userAgent, requestId, retries, length, keyHash, id, name = ""] = row;
  return {
    endpoint,
    user_agent: userAgent,
    client_request_id: requestId,
    retry_count: retries,
    content_length: length,
    idempotency_key_hash: keyHash,
    run_by: id === undefined ? null : { id, name },
  };
}

type ChecksRow = readonly [
  calls: number,
  max: number,
  available: number | string | null,
  spending: readonly [string | null, string, string] | null,
  limits: readonly (string | number)[] | null,
];

function readChecks([calls, max, available, spending, limits]: ChecksRow): CheckFigures {
  return {
    inFlight: [calls, max],
    available: available === null ? null : BigInt(available),
    spending: spending && { project: spending[0], spent: BigInt(spending[1]), limit: BigInt(spending[2]) },
    limits: limits && readLimits(limits),
  };
}

function readLimits(row: readonly (string | number)[]): NonNullable<CheckFigures["limits"]> {
  const limits: Partial<Record<RateLimitField, LimitFigures>> = {};
  for (let at = 0; at + 3 < row.length; at += 4) {
    const [used, max, needed] = [Number(row[at + 1]), Number(row[at + 2]), Number(row[at + 3])];
    limits[row[at] as RateLimitField] = { used, max, needed };
  }
  return limits;
}

type Time = number | null;
type AttemptRow = readonly [
  provider: string,
  model: string,
  started: number,
  reached: Time,
  sent: Time,
  answered: Time,
  ended: Time,
  status: number | null,
  failure: string | null,
  requestId: string | null,
];

function readAttempt(row: AttemptRow): RequestAttempt {
  const [provider, model, started, reached, sent, answered, ended, status, failure, requestId] = row;
  return {
    provider,
    model,
    started_ms: started,
    reached_ms: reached,
    sent_ms: sent,
    answered_ms: answered,
    ended_ms: ended,
    status,
    failure,
    provider_request_id: requestId,
  };
}
