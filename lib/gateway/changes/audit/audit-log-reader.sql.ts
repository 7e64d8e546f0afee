import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { firstIdAt } from "@/lib/contract/ids";
import type { AuditLogQuery } from "@/lib/contract/operations/audit/audit-logs";
import type { Reads } from "../../database/database";
import { contains, type Dialect, dialectOf, sql, toPattern } from "../../database/fragment";
import { listBySequence } from "../../database/list-pages";
import type { Tables } from "../../database/schema";
import type { PagedList } from "../../lists/paged-list";
import { type AuditHead, FIRST_HASH } from "./audit-chain.sql";
import type { AuditChange, AuditRow } from "./audit-event";

/** A change with the present names of the objects it refers to; null if an object has no name or was deleted. */
interface NamedChange extends AuditChange {
  readonly name: string | null;
  readonly subject_name: string | null;
}

/** An event with its changes parsed and the present names of the objects it refers to. */
export interface AuditRecord extends Omit<AuditRow, "changes"> {
  readonly changes: readonly NamedChange[];
  /** How many further changes were left out. */
  readonly moreChanges: number;
  /** The name of the acting key, or of the key that opened the acting session. */
  readonly keyName: string | null;
  readonly projectName: string | null;
  /** The service account that owns the acting key. */
  readonly serviceAccountId: string | null;
}

/**
 * Which events to list. An event matches a list if it matches one of its entries. Times are milliseconds; `untilMs` is
 * exclusive.
 */
interface AuditFilter {
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly projectIds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly withoutSignIns?: true | undefined;
  /** Ids of sessions, keys, members or service accounts. */
  readonly actorIds?: readonly string[] | undefined;
  readonly actorEmails?: readonly string[] | undefined;
  readonly resourceIds?: readonly string[] | undefined;
  readonly ipAddresses?: readonly string[] | undefined;
  /** Text that must occur in the changed fields, the type, an id or the actor's address. */
  readonly text?: string | undefined;
}

/** The filter in a query of the log, without its page. */
export function toAuditFilter(query: Omit<AuditLogQuery, "after" | "before" | "limit">): AuditFilter {
  return {
    ...readTimes(query),
    projectIds: query.project_ids,
    types: query.event_types,
    withoutSignIns: query.sign_ins === false ? true : undefined,
    actorIds: query.actor_ids,
    actorEmails: query.actor_emails?.map((email) => email.toLowerCase()),
    resourceIds: query.resource_ids,
    ipAddresses: query.ip_addresses,
    text: query.text,
  };
}

/** Times are compared in whole seconds, as they are shown. */
function readTimes(query: AuditLogQuery): { fromMs?: number; untilMs?: number } {
  const from = [query["effective_at[gte]"], addOne(query["effective_at[gt]"])].filter(
    (at) => at !== undefined,
  );
  const until = [query["effective_at[lt]"], addOne(query["effective_at[lte]"])].filter(
    (at) => at !== undefined,
  );
  return {
    ...(from.length > 0 && { fromMs: Math.max(...from) * 1000 }),
    ...(until.length > 0 && { untilMs: Math.min(...until) * 1000 }),
  };
}

function addOne(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds + 1;
}

type Unnamed = Omit<AuditRecord, "changes" | "keyName"> & { readonly changes: readonly AuditChange[] };

/** Tables whose rows have a name, with its column. */
const nameColumns = {
  users: "email",
  groups: "name",
  roles: "name",
  projects: "name",
  project_api_keys: "name",
  admin_api_keys: "name",
  service_accounts: "name",
} as const;

/** Adds the present names of the objects in events, with one query for all of them. */
async function nameAudited(reads: Reads, events: readonly Unnamed[]): Promise<AuditRecord[]> {
  const ids = new Set<string>();
  const note = (id: string | null) => id !== null && ids.add(id);
  for (const event of events) {
    note(findActorKey(event));
    for (const { id, subject_id } of event.changes) {
      note(id);
      note(subject_id);
    }
  }
  const names = await readNames(reads, [...ids]);
  const findName = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return events.map((event) => ({
    ...event,
    keyName: findName(findActorKey(event)),
    changes: event.changes.map((change) => ({
      ...change,
      name: findName(change.id),
      subject_name: findName(change.subject_id),
    })),
  }));
}

function findActorKey({ actor_kind, actor_id, actor_key_id }: Unnamed): string | null {
  return actor_kind === "session" ? actor_key_id : actor_id;
}

async function readNames(reads: Reads, ids: readonly string[]): Promise<Map<string, string>> {
  const predefined = predefinedRoles.map(({ id, name }) => [id, name] as const);
  if (ids.length === 0) return new Map(predefined);
  const list = sql.join(ids);
  const tables = Object.entries(nameColumns).map(
    ([table, column]) =>
      sql`SELECT id, ${sql.ref(column)} AS name FROM ${sql.table(table)} WHERE id IN (${list})`,
  );
  const { rows } = await sql<{
    id: string;
    name: string | null;
  }>`${sql.join(tables, sql` UNION ALL `)}`.execute(reads as never);
  const names = rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const]));
  return new Map([...predefined, ...names]);
}

/** Last digits of secrets, which the log keeps for doctor only. */
const DIGESTS = /"\*\*\*[^"\\]+"/g;

export type AuditLogReader = ReturnType<typeof createAuditLogReader>;

export function createAuditLogReader(reads: Reads) {
  return {
    /** `atMs` is the time of the last event; null for an empty log. */
    async head(): Promise<{ head: AuditHead; atMs: number | null }> {
      const last = await reads
        .selectFrom("audit_logs")
        .select(["seq", "hash", "at_ms"])
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst();
      const head = { length: last?.seq ?? 0, hash: last?.hash ?? FIRST_HASH };
      return { head, atMs: last?.at_ms ?? null };
    },
    /** Newest first. @param maxChanges of each event; all if absent. */
    pages: (filter: AuditFilter, maxChanges?: number): PagedList<AuditRecord> => {
      const events = listBySequence(
        reads,
        "audit_logs",
        async () => ({
          query: select(reads).where((event) => event.and(conditions(dialectOf(reads), event, filter))),
          isFiltered: Object.values(filter).some((value) => value !== undefined),
        }),
        (row) => readChanges(row, maxChanges),
      );
      return { ...events, read: async (page) => nameAudited(reads, await events.read(page)) };
    },
    /** What these members and admin keys have changed since a time, by kind and place. */
    pastActions: (actorIds: readonly string[], sinceMs: number) => readPastActions(reads, actorIds, sinceMs),
    async find(id: string): Promise<AuditRecord | null> {
      const row = await select(reads).where("audit_logs.id", "=", id).executeTakeFirst();
      return row ? ((await nameAudited(reads, [readChanges(row)]))[0] ?? null) : null;
    },
  };
}

function readChanges<Row extends { readonly changes: string }>({ changes, ...row }: Row, max?: number) {
  const all: AuditChange[] = JSON.parse(changes.replaceAll(DIGESTS, '"***"'));
  const shown = max === undefined ? all : all.slice(0, max).map(shortenValues);
  return { ...row, changes: shown, moreChanges: all.length - shown.length };
}

/** A change of thousands of limits is a value of a megabyte, of which a list shows the beginning. */
const LISTED_LENGTH = 2_000;

function shortenValues(change: AuditChange): AuditChange {
  const shorten = (row: AuditChange["after"]) =>
    row &&
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === "string" && value.length > LISTED_LENGTH
          ? `${value.slice(0, LISTED_LENGTH)}…`
          : value,
      ]),
    );
  return { ...change, before: shorten(change.before), after: shorten(change.after) };
}

function select(reads: Reads) {
  return reads
    .selectFrom("audit_logs")
    .leftJoin("projects", "projects.id", "audit_logs.project_id")
    .leftJoin("project_api_keys as key", "key.id", "audit_logs.actor_id")
    .selectAll("audit_logs")
    .select(["projects.name as projectName", "key.service_account_id as serviceAccountId"]);
}

type Event = ExpressionBuilder<
  Tables & { key: Tables["project_api_keys"] },
  "audit_logs" | "projects" | "key"
>;

function conditions(dialect: Dialect, event: Event, filter: AuditFilter): Expression<SqlBool>[] {
  const { fromMs, untilMs, projectIds, types, withoutSignIns } = filter;
  const { actorIds, actorEmails, resourceIds, ipAddresses, text } = filter;
  const filterConditions: (Expression<SqlBool> | undefined)[] = [
    fromMs === undefined ? undefined : event("audit_logs.at_ms", ">=", fromMs),
    untilMs === undefined ? undefined : event("audit_logs.at_ms", "<", untilMs),
    projectIds && event("audit_logs.project_id", "in", projectIds),
    types && event("audit_logs.type", "in", types),
    withoutSignIns &&
      sql<SqlBool>`audit_logs.type NOT LIKE 'login.%' AND audit_logs.type NOT LIKE 'logout.%'`,
    actorIds &&
      event.or(
        (["actor_id", "actor_key_id", "actor_user_id", "key.service_account_id"] as const).map((column) =>
          event(column, "in", actorIds),
        ),
      ),
    actorEmails && event("audit_logs.actor_email", "in", actorEmails),
    ipAddresses && event("audit_logs.actor_ip", "in", ipAddresses),
    resourceIds && touches(dialect, resourceIds),
    text === undefined ? undefined : mentions(dialect, text),
  ];
  return filterConditions.filter((condition) => condition !== undefined);
}

function touches({ jsonElements, jsonText }: Dialect, ids: readonly string[]) {
  const list = sql.join(ids);
  return sql<SqlBool>`(${namesAny(ids)}) AND EXISTS (
    SELECT 1 FROM ${jsonElements(sql`audit_logs.changes`)} WHERE ${jsonText(sql`value`, "id")} IN (${list})
      OR ${jsonText(sql`value`, "subject_id")} IN (${list}))`;
}

/** A cheap condition that every relevant event meets, so that few events have to be parsed. */
function namesAny(ids: readonly string[]) {
  const within = ids.map((id) => contains("audit_logs.changes", JSON.stringify(id)));
  return sql.join(within, sql` OR `);
}

/** Searches visible data only: neither field names nor remains of secrets. */
function mentions({ jsonElements, jsonAtoms }: Dialect, text: string) {
  const pattern = toPattern(text);
  const columns = ["type", "id", "actor_email", "actor_ip", "actor_id", "request_id"].map((column) =>
    contains(`audit_logs.${column}`, text),
  );
  // Compared as text first, which is cheap and matches every relevant event, so that few events have to be parsed.
  const inJson = contains("audit_logs.changes", JSON.stringify(text).slice(1, -1));
  return sql<SqlBool>`(${sql.join(columns, sql` OR `)} OR ${inJson} AND EXISTS (
    SELECT 1 FROM ${jsonElements(sql`audit_logs.changes`)} CROSS JOIN ${jsonAtoms(sql`elements.value`, "object")}
    WHERE lower(atoms.atom) LIKE ${pattern} ESCAPE '\\' AND atoms.atom NOT LIKE '***%' AND atoms.key <> 'object'))`;
}

/** How often somebody did one kind of thing in one place. */
export interface PastAction {
  /** The member, or the admin key whose session or request it was. */
  readonly actorId: string;
  /** The event's type. */
  readonly type: string;
  readonly projectId: string | null;
  /** The operation behind an event about a key, where the event's type leaves it open. */
  readonly keyOf: "rotation" | "service_account" | null;
  readonly times: number;
  readonly lastAtMs: number;
  /** The last of these events. */
  readonly lastEventId: string;
}

interface ActionRow {
  readonly actor: string;
  readonly type: string;
  readonly project_id: string | null;
  readonly key_of: PastAction["keyOf"];
  readonly times: number;
  readonly last_at_ms: number;
  readonly last_id: string;
}

/** What these members and admin keys have changed since a time, by kind and place, the most frequent first. */
async function readPastActions(
  reads: Reads,
  actorIds: readonly string[],
  sinceMs: number,
): Promise<PastAction[]> {
  const actor = sql`coalesce(actor_user_id, actor_key_id, actor_id)`;
  const names = (field: string) => sql`changes LIKE ${`%"${field}":"%`}`;
  const { rows } = await sql<ActionRow>`
    SELECT ${actor} AS actor, type, project_id,
      CASE WHEN type <> 'api_key.created' THEN NULL WHEN ${names("rotated_from")} THEN 'rotation'
        WHEN ${names("service_account_id")} THEN 'service_account' END AS key_of,
      count(*) AS times, max(at_ms) AS last_at_ms, max(id) AS last_id
    FROM audit_logs WHERE id >= ${firstIdAt("audit", sinceMs)} AND ${dialectOf(reads).isListed(actor, actorIds)}
    GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC, 1, 2`.execute(reads as never);
  return rows.map((row) => ({
    actorId: row.actor,
    type: row.type,
    projectId: row.project_id,
    keyOf: row.key_of,
    times: Number(row.times),
    lastAtMs: Number(row.last_at_ms),
    lastEventId: row.last_id,
  }));
}
