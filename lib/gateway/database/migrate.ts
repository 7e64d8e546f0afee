import { SQLiteError, Database as Sqlite } from "bun:sqlite";
import { AuditTrail } from "../changes/audit/audit-trail.sql";
import { installTriggers, listMissingTriggers } from "../changes/audit/audited-tables.sql";
import { createQueryBuilder } from "./database";
import * as foundation from "./migrations/0001-foundation";
import * as people from "./migrations/0002-people";
import * as adminObjects from "./migrations/0003-admin-objects";
import * as spendLimits from "./migrations/0004-spend-limits";
import * as spendAlerts from "./migrations/0005-spend-alerts";
import * as auditLog from "./migrations/0006-audit-log";
import * as idempotentCharges from "./migrations/0007-kept-calls";
import * as alertDeliveries from "./migrations/0008-alert-deliveries";
import * as signIn from "./migrations/0009-sign-in";
import * as callBounds from "./migrations/0010-call-bounds";
import * as signInSafety from "./migrations/0011-sign-in-safety";
import * as refusalCounts from "./migrations/0012-refusal-counts";
import * as listIndexes from "./migrations/0013-list-indexes";
import * as auditLogsByRequest from "./migrations/0014-audit-logs-by-request";
import * as storeEvidence from "./migrations/0016-store-evidence";
import * as holdOwners from "./migrations/0017-hold-owners";
import * as claims from "./migrations/0018-claims";
import * as refusalFacts from "./migrations/0020-refusal-facts";
import * as callSums from "./migrations/0021-call-sums";
import * as usageSums from "./migrations/0023-usage-sums";
import * as limitUses from "./migrations/0024-limit-uses";
import * as keyScopes from "./migrations/0025-key-scopes";
import * as requestBodies from "./migrations/0026-request-bodies";
import * as callTraces from "./migrations/0027-call-traces";
import * as sumsByProvider from "./migrations/0028-sums-by-provider";
import * as paymentApproval from "./migrations/0029-payment-approval";
import * as runningBalance from "./migrations/0031-running-balance";
import * as accessRefusals from "./migrations/0035-access-refusals";
import * as tasks from "./migrations/0036-tasks";
import * as taskCallbacks from "./migrations/0037-task-callbacks";
import * as conversations from "./migrations/0038-conversations";
import * as statements from "./migrations/0039-statements";
import * as paymentNotes from "./migrations/0040-payment-notes";
import * as prompts from "./migrations/0042-prompts";
import * as promptRuns from "./migrations/0043-prompt-runs";
import * as taskSettings from "./migrations/0044-task-settings";
import * as oldCallbacks from "./migrations/0045-old-callbacks";
import * as filesAndBatches from "./migrations/0046-files-and-batches";
import * as callCheckpoints from "./migrations/0048-call-checkpoints";
import * as scheduledPrices from "./migrations/0049-scheduled-prices";
import * as corrections from "./migrations/0050-corrections";
import * as audioFamilies from "./migrations/0053-audio-families";
import * as batchCharges from "./migrations/0056-batch-charges";
import * as conversationAnswers from "./migrations/0059-conversation-answers";
import * as circuitClosings from "./migrations/0061-circuit-closings";
import * as earlierRotations from "./migrations/0063-earlier-rotations";
import * as fileMakers from "./migrations/0064-file-makers";
import * as chargedUnits from "./migrations/0070-charged-units";
import * as taskMakers from "./migrations/0072-task-makers";
import * as batchRates from "./migrations/0074-batch-rates";
import * as callsOfBatches from "./migrations/0075-calls-of-batches";
import * as batchPaces from "./migrations/0076-batch-paces";
import * as sumsByDimension from "./migrations/0077-sums-by-dimension";
import * as promptSizes from "./migrations/0078-prompt-sizes";
import * as audioTokens from "./migrations/0079-audio-tokens";
import * as audioSums from "./migrations/0080-audio-sums";
import * as lateCalls from "./migrations/0082-late-calls";
import * as refusalDays from "./migrations/0083-refusal-days";
import * as deletedMinutes from "./migrations/0084-deleted-minutes";
import * as countedTokens from "./migrations/0085-counted-tokens";
import * as providerSettings from "./migrations/0086-provider-settings";
import * as openOutputs from "./migrations/0093-open-outputs";
import * as usedStates from "./migrations/0095-used-states";
import * as guardedApproval from "./migrations/0096-guarded-approval";
import { StoreFault } from "./store-fault";

export const migrations = {
  "0001-foundation": foundation,
  "0002-people": people,
  "0003-admin-objects": adminObjects,
  "0004-spend-limits": spendLimits,
  "0005-spend-alerts": spendAlerts,
  "0006-audit-log": auditLog,
  "0007-kept-calls": idempotentCharges,
  "0008-alert-deliveries": alertDeliveries,
  "0009-sign-in": signIn,
  "0010-call-bounds": callBounds,
  "0011-sign-in-safety": signInSafety,
  "0012-refusal-counts": refusalCounts,
  "0013-list-indexes": listIndexes,
  "0014-kept-answers": auditLogsByRequest,
  "0016-store-evidence": storeEvidence,
  "0017-hold-owners": holdOwners,
  "0018-claims": claims,
  "0020-refusal-facts": refusalFacts,
  "0021-call-sums": callSums,
  "0023-usage-sums": usageSums,
  "0024-limit-uses": limitUses,
  "0025-key-scopes": keyScopes,
  "0026-request-bodies": requestBodies,
  "0027-call-traces": callTraces,
  "0028-sums-by-provider": sumsByProvider,
  "0029-payment-approval": paymentApproval,
  "0031-running-balance": runningBalance,
  "0035-access-refusals": accessRefusals,
  "0036-tasks": tasks,
  "0037-task-callbacks": taskCallbacks,
  "0038-conversations": conversations,
  "0039-statements": statements,
  "0040-payment-notes": paymentNotes,
  "0044-task-settings": taskSettings,
  "0045-old-callbacks": oldCallbacks,
  "0046-files-and-batches": filesAndBatches,
  "0042-prompts": prompts,
  "0043-prompt-runs": promptRuns,
  "0048-call-checkpoints": callCheckpoints,
  "0049-scheduled-prices": scheduledPrices,
  "0050-corrections": corrections,
  "0053-audio-families": audioFamilies,
  "0056-batch-charges": batchCharges,
  "0061-circuit-closings": circuitClosings,
  "0063-earlier-rotations": earlierRotations,
  "0064-file-makers": fileMakers,
  "0070-charged-units": chargedUnits,
  "0072-task-makers": taskMakers,
  "0059-conversation-answers": conversationAnswers,
  "0074-batch-rates": batchRates,
  "0075-calls-of-batches": callsOfBatches,
  "0076-batch-paces": batchPaces,
  "0077-sums-by-dimension": sumsByDimension,
  "0078-prompt-sizes": promptSizes,
  "0079-audio-tokens": audioTokens,
  "0080-audio-sums": audioSums,
  "0082-late-calls": lateCalls,
  "0083-refusal-days": refusalDays,
  "0084-deleted-minutes": deletedMinutes,
  "0085-counted-tokens": countedTokens,
  "0086-provider-settings": providerSettings,
  "0093-open-outputs": openOutputs,
  "0095-used-states": usedStates,
  "0096-guarded-approval": guardedApproval,
};

type Migrations = Readonly<Record<string, { up(database: never): Promise<void> }>>;

/**
 * Migrates the tables to the present schema, in one transaction with the record of it: a start that is ended meanwhile
 * has changed nothing. In a transaction SQLite ignores `PRAGMA foreign_keys`, so no migration sets it.
 * @throws StoreFault if a newer version has written them, or if an earlier one was ended while it upgraded them.
 */
export async function migrate(sqlite: Sqlite, all: Migrations = migrations): Promise<void> {
  const database = createQueryBuilder(sqlite);
  refuseNewerVersion(sqlite, all);
  // A start must not wait for a lock unless there is something to write.
  if (listDue(sqlite, all).length === 0 && listMissingTriggers(sqlite).length === 0) return;
  if (listDue(sqlite, all).length > 0 && isUnfinished(sqlite)) dropEverything(sqlite, all);
  await database.transaction().execute(async (queries) => {
    // Another process may have migrated while this one waited for the lock.
    refuseNewerVersion(sqlite, all);
    await runDue(sqlite, queries as never, all);
    installTriggers(sqlite);
  });
}

async function runDue(sqlite: Sqlite, queries: never, all: Migrations): Promise<void> {
  sqlite.run(
    "CREATE TABLE IF NOT EXISTS kysely_migration (name TEXT PRIMARY KEY NOT NULL, timestamp TEXT NOT NULL)",
  );
  const trail = new AuditTrail(sqlite);
  for (const name of listDue(sqlite, all)) {
    await all[name]?.up(queries).catch((error: unknown) => {
      throw describeFailure(error, name);
    });
    // The rows that a migration changes are recorded as an event of the gateway itself.
    trail.log(null);
    sqlite
      .query("INSERT INTO kysely_migration (name, timestamp) VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ'))")
      .run(name);
  }
}

/** A statement that doesn't fit the tables: each was once committed by itself, with its migration not yet recorded. */
function describeFailure(error: unknown, migration: string): unknown {
  if (!(error instanceof SQLiteError) || error.code !== "SQLITE_ERROR") return error;
  return new StoreFault(
    `The database can't be upgraded ("${migration}": ${error.message}), probably because an earlier version was ended while it upgraded it. Nothing was changed: put a backup from before that upgrade in its place, then start again.`,
  );
}

/**
 * Whether no start has finished on this database: it has no organization, project or entry beside the opening balance.
 * An earlier version may have left any part of its tables.
 */
function isUnfinished(sqlite: Sqlite): boolean {
  return (
    isEmpty(sqlite, "organizations") &&
    isEmpty(sqlite, "projects") &&
    isEmpty(sqlite, "ledger_entries", "WHERE id <> 'txn_opening_balance'")
  );
}

function isEmpty(sqlite: Sqlite, table: string, where = ""): boolean {
  return !hasTable(sqlite, table) || sqlite.query(`SELECT 1 FROM ${table} ${where} LIMIT 1`).get() === null;
}

/** Without foreign keys, which would have each table dropped before those that it refers to. */
function dropEverything(sqlite: Sqlite, all: Migrations): void {
  sqlite.run("PRAGMA foreign_keys = OFF");
  sqlite
    .transaction(() => {
      if (listDue(sqlite, all).length === 0 || !isUnfinished(sqlite)) return;
      for (const { type, name } of listDroppable(sqlite)) sqlite.run(`DROP ${type} "${name}"`);
    })
    .immediate();
  sqlite.run("PRAGMA foreign_keys = ON");
}

/** Views and triggers first, since they name tables. Indexes go with theirs. */
function listDroppable(sqlite: Sqlite) {
  return sqlite
    .query<{ type: string; name: string }, []>(
      `SELECT type, name FROM sqlite_master WHERE type <> 'index' AND name NOT LIKE 'sqlite_%' ORDER BY type = 'table'`,
    )
    .all();
}

/**
 * Describes what an ended start has left, without writing: tables that the next start makes anew, or an upgrade that it
 * can't go on with, which a copy of the tables without their rows shows. Null for neither.
 */
export async function findUnfinishedStart(sqlite: Sqlite): Promise<StoreFault | null> {
  if (isUnfinished(sqlite)) {
    return new StoreFault(
      "No start of Gatehouse has finished on this database yet: start it, which begins anew.",
    );
  }
  if (!isOfEarlierVersion(sqlite)) return null;
  using copy = new Sqlite(":memory:");
  const objects = sqlite
    .query<{ sql: string }, []>(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all();
  for (const object of objects) copy.run(object.sql);
  for (const name of listExecuted(sqlite)) copy.run("INSERT INTO kysely_migration VALUES (?, '')", [name]);
  try {
    await runDue(copy, createQueryBuilder(copy) as never, migrations);
    return null;
  } catch (error) {
    if (error instanceof StoreFault) return error;
    throw error;
  }
}

/** Whether an earlier version has written a database, which the next start of this one migrates. */
export function isOfEarlierVersion(sqlite: Sqlite): boolean {
  return listDue(sqlite, migrations).length > 0;
}

/** @throws StoreFault if a newer version has written a database, whose ledger this one would call altered. */
export function refuseNewerVersion(sqlite: Sqlite, all: Migrations = migrations): void {
  const unknown = listExecuted(sqlite).find((name) => !Object.hasOwn(all, name));
  if (unknown === undefined) return;
  throw new StoreFault(
    `The database was written by a newer version of Gatehouse, which added "${unknown}": start that version, or put a backup from before in its place.`,
  );
}

/** In the order of their names, in which they run. */
function listDue(sqlite: Sqlite, all: Migrations): string[] {
  const executed = new Set(listExecuted(sqlite));
  return Object.keys(all)
    .filter((name) => !executed.has(name))
    .toSorted();
}

function listExecuted(sqlite: Sqlite): string[] {
  if (!hasTable(sqlite, "kysely_migration")) return [];
  const rows = sqlite.query<{ name: string }, []>("SELECT name FROM kysely_migration ORDER BY name").all();
  return rows.map(({ name }) => name);
}

function hasTable(sqlite: Sqlite, name: string): boolean {
  return sqlite.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== null;
}
