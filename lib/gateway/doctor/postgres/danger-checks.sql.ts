import type { AskPostgres } from "../../database/find-unfit-postgres.sql";
import { formatCount } from "../checks/check";
import type { Finding } from "../examine-outputs";

/** Tables whose rows each tick changes. */
const HOT = ["book", "spend", "windows", "minute_slots", "holds"];
/** Autovacuum comes after a thousand dead rows: so many are left only if something keeps it from them. */
const MANY_DEAD = 200_000;
const OLD = "10 minutes";

/** What endangers the books, or makes them slow, around the database. */
export async function findDangers(ask: AskPostgres): Promise<Finding[]> {
  return [
    await checkSettings(ask),
    await checkStandbys(ask),
    await checkSnapshots(ask),
    await checkHotTables(ask),
  ];
}

/** Checks that a commit is on disk before it is answered, and stays there. */
async function checkSettings(ask: AskPostgres): Promise<Finding> {
  const should = { fsync: "on", full_page_writes: "on", autovacuum: "on", track_counts: "on" };
  const names = [...Object.keys(should), "synchronous_commit"];
  const rows = await ask<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN (${names.map((name) => `'${name}'`).join(", ")})`,
  );
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  const wrong = Object.entries(should).filter(([name, value]) => settings.get(name) !== value);
  const faults = wrong.map(
    ([name, value]) =>
      `${name} is ${settings.get(name)}: ALTER SYSTEM SET ${name} = ${value}, and reload PostgreSQL.`,
  );
  if (settings.get("synchronous_commit") === "off")
    faults.push(
      "synchronous_commit is off, so that changes of settings are answered before they are on disk: set it to on.",
    );
  return { title: "PostgreSQL keeps what it has answered", checked: `${names.length} settings`, faults };
}

/** A charge that a standby lacks is forgotten when that one takes over. */
async function checkStandbys(ask: AskPostgres): Promise<Finding> {
  const rows = await ask<{ name: string; sync_state: string | null }>(
    `SELECT application_name AS name, sync_state FROM pg_stat_replication
     WHERE application_name NOT LIKE 'pg\\_%' AND coalesce(state, 'streaming') = 'streaming'`,
  );
  const isSynchronous = rows.some(({ sync_state }) => sync_state !== null && sync_state !== "async");
  const faults =
    rows.length === 0 || isSynchronous
      ? []
      : rows.map(
          ({ name, sync_state }) =>
            `The standby ${name} is ${sync_state === null ? "not shown to this user: GRANT pg_monitor to it" : "asynchronous: after a failover to it, charges that were answered are forgotten. Name it in synchronous_standby_names"}.`,
        );
  return {
    title: "a failover forgets nothing",
    checked: formatCount(rows.length, "standby", "standbys"),
    faults,
  };
}

/** What keeps dead rows alive: they can't be cleaned up, and fill the disk. */
async function checkSnapshots(ask: AskPostgres): Promise<Finding> {
  const sessions = await ask<{ pid: number; name: string; state: string | null; minutes: string }>(
    `SELECT pid, coalesce(nullif(application_name, ''), usename::text) AS name, state,
       floor(extract(epoch FROM now() - xact_start) / 60)::text AS minutes
     FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND backend_xmin IS NOT NULL AND xact_start < now() - interval '${OLD}'`,
  );
  const prepared = await ask<{ gid: string }>(
    `SELECT gid FROM pg_prepared_xacts WHERE database = current_database() AND prepared < now() - interval '${OLD}'`,
  );
  const slots = await ask<{ slot_name: string }>(
    "SELECT slot_name FROM pg_replication_slots WHERE NOT active",
  );
  return {
    title: "nothing keeps old rows alive",
    checked: "sessions, prepared transactions and replication slots",
    faults: [
      ...sessions.map(
        ({ pid, name, state, minutes }) =>
          `The session ${pid} of ${name} (${state}) has had a snapshot for ${minutes} minutes: end it with SELECT pg_terminate_backend(${pid}), if it isn't a dump that is still written.`,
      ),
      ...prepared.map(
        ({ gid }) => `The prepared transaction ${gid} is left behind: ROLLBACK PREPARED '${gid}'.`,
      ),
      ...slots.map(
        ({ slot_name }) =>
          `The replication slot ${slot_name} has no reader, and keeps all of the log since: SELECT pg_drop_replication_slot('${slot_name}'), or start its reader.`,
      ),
    ],
  };
}

async function checkHotTables(ask: AskPostgres): Promise<Finding> {
  const tables = HOT.map((name) => `'${name}'`).join(", ");
  const rows = await ask<{ name: string; dead: string; options: string | null }>(
    `SELECT pg_class.relname AS name, coalesce(n_dead_tup, 0)::text AS dead, array_to_string(reloptions, ' ') AS options
     FROM pg_class LEFT JOIN pg_stat_user_tables stat ON stat.relid = pg_class.oid
     WHERE pg_class.relnamespace = current_schema()::regnamespace AND pg_class.relname IN (${tables})`,
  );
  const faults = rows.flatMap(({ name, dead, options }) => [
    ...(options?.includes("autovacuum_vacuum_scale_factor=0") && !options.includes("autovacuum_enabled=false")
      ? []
      : [
          `Autovacuum of ${name} is not as Gatehouse sets it: ALTER TABLE ${name} SET (autovacuum_enabled = true, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000).`,
        ]),
    ...(Number(dead) > MANY_DEAD
      ? [`${name} has ${dead} dead rows, which autovacuum has not cleaned up: VACUUM ${name}.`]
      : []),
  ]);
  return {
    title: "tables that each call changes are cleaned up",
    checked: formatCount(rows.length, "table"),
    faults,
  };
}
