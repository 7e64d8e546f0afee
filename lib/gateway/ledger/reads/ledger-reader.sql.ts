import { CompiledQuery, sql } from "kysely";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { type Nano, readNano } from "@/lib/money/amount";
import type { AudioTokens, PriceSnapshot } from "@/lib/money/charge";
import { type Database, isPostgres } from "../../database/database";
import { listBySequence } from "../../database/list-pages";
import type { PagedList } from "../../lists/paged-list";
import {
  type ClassUsage,
  readAudioPrice,
  readAudioTokens,
  readClassUsage,
  readPriceClasses,
} from "../ledger-row";
import {
  EARLIER_PAYMENTS,
  EARLIER_PAYMENTS_THERE,
  type EarlierPayment,
  type EarlierPaymentRow,
  formatAmountList,
  toEarlierPayment,
} from "../payments/duplicate-payments";
import {
  buildLedgerConditions,
  findEntryBounds,
  findText,
  isScanned,
  type LedgerFilter,
  matchesRequest,
  type TextMatch,
} from "./ledger-conditions.sql";

/** A row of the ledger. */
export interface LedgerRecord {
  readonly id: string;
  readonly kind: LedgerEntry["kind"];
  readonly amount: Nano;
  readonly fromAccount: string;
  readonly toAccount: string;
  readonly createdAtMs: number;
  readonly reference: string | null;
  /** Set on payments only. */
  readonly note: string | null;
  /** The day on which a payment was paid; null if nobody said, and on other entries. */
  readonly paidOn: string | null;
  /** For a correction, the entry that it reverses, wholly or in part, and the reason; null on other entries. */
  readonly corrects: string | null;
  readonly reason: string | null;
  /** The sum of the corrections of a payment or a charge; null on other entries. */
  readonly corrected: Nano | null;
  /** The balance after this entry; null until it is known. */
  readonly balanceAfter: Nano | null;
  /** The charged call and the basis of its usage. On a correction, the corrected call. Null for a payment. */
  readonly call: ChargeDetails | null;
}

export interface ChargeDetails {
  readonly basis: LedgerEntry["basis"];
  readonly requestId: string;
  readonly projectId: string | null;
  /** The project's present name; null if it is unknown. */
  readonly projectName: string | null;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly model: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Millionths of the price's unit; null on a charge for tokens only. */
  readonly units: number | null;
  /** The batch whose line it is. */
  readonly batchId: string | null;
  readonly price: PriceSnapshot | null;
  /** The tokens of audio, with a price of their own or without; absent if there are none. */
  readonly audio?: AudioTokens;
  /** How many of the prompt tokens were read from a cache; null if the provider didn't report it. */
  readonly cachedTokens: number | null;
  readonly classUsage: ClassUsage;
}

export type LedgerReader = ReturnType<typeof createLedgerReader>;

/** Reads the ledger on a read-only connection. */
export function createLedgerReader(database: Database) {
  return {
    /** The number of open holds of calls, and of tasks, that the process `owner` answers. */
    async countOpenHolds(owner: string): Promise<number> {
      const { holds } = await database
        .selectFrom("holds")
        .select(({ fn }) => fn.countAll<number>().as("holds"))
        .where("owner", "=", owner)
        .executeTakeFirstOrThrow();
      return holds;
    },
    /** The stored balance, and the sum and the number of open holds, read in one snapshot. */
    async balance(): Promise<{ posted: Nano; held: Nano; holds: number }> {
      const row = await database
        .selectFrom("accounts")
        .where("name", "=", "balance")
        .select(asText("balance").as("posted"))
        .select(asText("held").as("held"))
        .select(sql<number>`(SELECT count(*) FROM holds)`.as("holds"))
        .executeTakeFirstOrThrow();
      return { posted: readNano(row.posted), held: readNano(row.held), holds: row.holds };
    },
    /** What is held now for a project's calls, and what they were charged since. */
    ofProject: (projectId: string, sinceMs: number) => sumOfProject(database, projectId, sinceMs),
    async find(entryId: string): Promise<LedgerRecord | null> {
      const row = await entries(database).where("id", "=", entryId).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    /** The charge of a call; null if there is none yet, or if the call was free. */
    async findCharge(requestId: string): Promise<LedgerRecord | null> {
      const row = await entries(database)
        .where((entry) => matchesRequest(entry, requestId))
        .where("kind", "=", "charge")
        .executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    /** The payments of these amounts that aren't wholly corrected, and those that wait for approval. */
    async findPaymentsByAmount(amounts: readonly Nano[]): Promise<EarlierPayment[]> {
      const statement = isPostgres(database) ? EARLIER_PAYMENTS_THERE : EARLIER_PAYMENTS;
      const { rows } = await database.executeQuery<EarlierPaymentRow>(
        CompiledQuery.raw(statement, [formatAmountList(amounts)]),
      );
      return rows.map(toEarlierPayment);
    },
    /** Newest first. */
    pages: (filter: LedgerFilter): PagedList<LedgerRecord> =>
      listBySequence(
        database,
        "ledger_entries",
        async () => {
          const match = filter.text === undefined ? null : await findText(database, filter.text);
          return {
            query: select(database, filter, match),
            isFiltered: isScanned(filter, match),
            bounds: await findEntryBounds(database, filter),
          };
        },
        toRecord,
      ),
  };
}

async function sumOfProject(
  database: Database,
  projectId: string,
  sinceMs: number,
): Promise<{ held: Nano; holds: number; charged: Nano }> {
  const { from = 0 } = await findEntryBounds(database, { startMs: sinceMs });
  const total = sql<string>`CAST(coalesce(sum(amount), 0) AS TEXT)`.as("amount");
  const held = await database
    .selectFrom("holds")
    .where("project_id", "=", projectId)
    .select(total)
    .select(({ fn }) => fn.countAll<number>().as("holds"))
    .executeTakeFirstOrThrow();
  const charged = await database
    .selectFrom("ledger_entries")
    .where("seq", ">", from)
    .where("project_id", "=", projectId)
    .where("kind", "=", "charge")
    .select(total)
    .executeTakeFirstOrThrow();
  return { held: readNano(held.amount), holds: held.holds, charged: readNano(charged.amount) };
}

const projectName = sql<
  string | null
>`(SELECT name FROM projects WHERE projects.id = ledger_entries.project_id)`.as("project_name");

/** A call is charged to a project's key or, in a session, to its admin key or member. */
const keyName = sql<string | null>`coalesce(
  (SELECT name FROM project_api_keys WHERE project_api_keys.id = ledger_entries.key_id),
  (SELECT name FROM admin_api_keys WHERE admin_api_keys.id = ledger_entries.key_id),
  (SELECT name FROM users WHERE users.id = ledger_entries.key_id))`.as("key_name");

const corrected = sql<string | null>`CASE WHEN kind = 'payment' OR kind = 'charge' THEN (
  SELECT cast(coalesce(sum(correction.amount), 0) AS text) FROM ledger_entries AS correction
  WHERE correction.kind = 'correction' AND correction.corrects = ledger_entries.id) END`.as("corrected");

function entries(database: Database) {
  return database
    .selectFrom("ledger_entries")
    .select(["id", "kind", "from_account", "to_account", "created_at_ms", "reference", "note", "basis"])
    .select(["paid_on", "corrects", "reason", corrected])
    .select(["request_id", "batch_id", "project_id", "key_id", "model", "prompt_tokens", "completion_tokens"])
    .select([asText("amount").as("amount"), asText("rate").as("rate")])
    .select(asText("balance_after").as("balance_after"))
    .select(["unit", "units", "audio", "classes", "cached_tokens", asText("unit_price").as("unit_price")])
    .select([projectName, keyName])
    .select([asText("input_per_1m").as("input_per_1m"), asText("output_per_1m").as("output_per_1m")]);
}

function select(database: Database, filter: LedgerFilter, match: TextMatch | null) {
  const { requestId } = filter;
  return entries(database).where((entry) =>
    entry.and([
      ...buildLedgerConditions(filter, match),
      ...(requestId === undefined ? [] : [matchesRequest(entry, requestId)]),
    ]),
  );
}

type Row = Awaited<ReturnType<ReturnType<typeof entries>["execute"]>>[number];

function toRecord(row: Row): LedgerRecord {
  return {
    id: row.id,
    kind: row.kind,
    amount: readNano(row.amount),
    fromAccount: row.from_account,
    toAccount: row.to_account,
    createdAtMs: row.created_at_ms,
    reference: row.reference,
    note: row.note,
    paidOn: row.paid_on,
    corrects: row.corrects,
    reason: row.reason,
    corrected: row.corrected === null ? null : readNano(row.corrected),
    balanceAfter: row.balance_after === null ? null : readNano(row.balance_after),
    call: row.request_id === null ? null : toCall(row, row.request_id),
  };
}

function toCall(row: Row, requestId: string): ChargeDetails {
  const { basis, project_id, key_id, model, prompt_tokens, completion_tokens, units } = row;
  return {
    requestId,
    basis,
    projectId: project_id,
    projectName: row.project_name,
    keyId: key_id,
    keyName: row.key_name,
    model,
    promptTokens: prompt_tokens,
    completionTokens: completion_tokens,
    units,
    batchId: row.batch_id,
    ...readAudioTokens(row.audio),
    cachedTokens: row.cached_tokens,
    classUsage: readClassUsage(row.classes),
    price: toPrice(row),
  };
}

function toPrice({
  input_per_1m,
  output_per_1m,
  rate,
  unit,
  unit_price,
  audio,
  classes,
}: Row): PriceSnapshot | null {
  if (input_per_1m === null || output_per_1m === null || rate === null) return null;
  const perTokens = {
    inputPer1m: readNano(input_per_1m),
    outputPer1m: readNano(output_per_1m),
    rate: readNano(rate),
    ...readAudioPrice(audio),
    ...readPriceClasses(classes),
  };
  if (unit === null || unit_price === null) return perTokens;
  return { ...perTokens, perUnit: { unit, amount: readNano(unit_price) } };
}

/** A money column as text; null if the column is. */
function asText<Column extends MoneyColumn>(column: Column) {
  return sql<ColumnText<Column>>`cast(${sql.ref(column)} as text)`;
}

type MoneyColumn =
  | "balance"
  | "held"
  | "amount"
  | "balance_after"
  | "input_per_1m"
  | "output_per_1m"
  | "rate"
  | "unit_price";
type ColumnText<Column> = Column extends "balance" | "held" | "amount" ? string : string | null;
