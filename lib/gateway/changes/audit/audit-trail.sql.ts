import type { Database as Sqlite } from "bun:sqlite";
import { otherEvents } from "@/lib/contract/access/audit-events";
import type { Database } from "../../database/database";
import { buildEventId, FIRST_HASH, hashEvent } from "./audit-chain.sql";
import type { AuditActor, AuditChange, AuditContext, AuditRow } from "./audit-event";
import { maskChange } from "./audited-tables.sql";

/** The last event of the log, which the next one continues. */
type ChainEnd = Pick<AuditRow, "seq" | "hash">;

interface PendingRow {
  readonly object: string;
  readonly id: string;
  readonly subject_id: string | null;
  readonly project_id: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** Events written before other requests are served: a few milliseconds. */
const LOGGED_AT_ONCE = 200;

/**
 * Writes the audit events of one connection, each as the last statement of its transaction. The chain's end is read
 * within the transaction, which holds the write lock, so no other connection appends meanwhile.
 */
export class AuditTrail {
  #exists = false;

  constructor(private readonly sqlite: Sqlite) {}

  /**
   * Turns the transaction's changes into its event, together with changes that no trigger records. Does nothing if
   * nothing audited was changed. @returns the event's changes.
   */
  log(context: AuditContext | null, unrecorded: readonly AuditChange[] = []): readonly AuditChange[] {
    if (!this.#isThere()) return [];
    const pending = this.sqlite
      .query<PendingRow, []>(
        "SELECT object, id, subject_id, project_id, before, after FROM audit_pending ORDER BY seq",
      )
      .all();
    if (pending.length === 0) return [];
    this.sqlite.query("DELETE FROM audit_pending").run();
    const changes = [...computeNetChanges(pending), ...unrecorded];
    this.#append(context, changes);
    return changes;
  }

  /**
   * Turns the transaction's changes of one table, of which each row was changed once, into an event for each row, a few
   * at a time, so that no call waits for thousands.
   */
  async logEach(context: AuditContext, object: string): Promise<void> {
    const pending = this.sqlite
      .query<PendingRow, [string]>(
        "SELECT object, id, subject_id, project_id, before, after FROM audit_pending WHERE object = ? ORDER BY seq",
      )
      .all(object);
    // Before any event is added: each one looks for itself among the pending rows, which refer to none.
    this.sqlite.query("DELETE FROM audit_pending WHERE object = ?").run(object);
    for (let from = 0; from < pending.length; from += LOGGED_AT_ONCE) {
      let last = this.#readLast();
      for (const change of computeNetChanges(pending.slice(from, from + LOGGED_AT_ONCE))) {
        const row = composeEvent(last, { context, changes: [change], actor: null, nowMs: context.atMs });
        this.#insert(row);
        last = row;
      }
      await new Promise(setImmediate);
    }
  }

  /** Adds the event of a change that no trigger records. */
  add(context: AuditContext | null, change: AuditChange): void {
    this.#append(context, [change]);
  }

  #append(context: AuditContext | null, changes: readonly AuditChange[]): void {
    const session = findNewSession(changes, context);
    const user = this.sqlite
      .query<{ email: string }, [string | null]>("SELECT email FROM users WHERE id = ?")
      .get(session?.userId ?? null);
    const actor = session && { ...session, email: user?.email ?? null };
    this.#insert(composeEvent(this.#readLast(), { context, changes, actor, nowMs: this.#nowMs() }));
  }

  #readLast(): ChainEnd | null {
    return this.sqlite
      .query<ChainEnd, []>("SELECT seq, hash FROM audit_logs ORDER BY seq DESC LIMIT 1")
      .get();
  }

  #insert(row: AuditRow): void {
    const columns = Object.keys(row);
    this.sqlite
      .query(`INSERT INTO audit_logs (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`)
      .run(...Object.values(row));
  }

  #nowMs(): number {
    const row = this.sqlite
      .query<{ now: number }, []>("SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now")
      .get();
    return Number(row?.now);
  }

  /** Migrations before the log's own run without it. */
  #isThere(): boolean {
    this.#exists ||=
      this.sqlite.query("SELECT 1 FROM sqlite_master WHERE name = 'audit_pending'").get() !== null;
    return this.#exists;
  }
}

/** The session that a sign-in opens: its owner is the actor, though without the email. Null for other events. */
function findNewSession(changes: readonly AuditChange[], context: AuditContext | null): AuditActor | null {
  const audited = context?.type === otherEvents.auditCut ? changes.slice(0, 1) : changes;
  const session = audited.find(({ object, before }) => object === "sessions" && before === null);
  if (!session?.after) return null;
  const { admin_api_key_id: keyId, user_id: userId } = session.after as Record<string, string | null>;
  return { kind: "session", id: session.id, keyId: keyId ?? null, userId: userId ?? null, email: null };
}

/** The row of an event behind `last`, the log's last one; null for the first. */
function composeEvent(
  last: ChainEnd | null,
  event: {
    readonly context: AuditContext | null;
    readonly changes: readonly AuditChange[];
    /** Who signs in with this event; null for others, whose actor the context names. */
    readonly actor: AuditActor | null;
    readonly nowMs: number;
  },
): AuditRow {
  const { context, changes, nowMs } = event;
  const audited = context?.type === otherEvents.auditCut ? changes.slice(0, 1) : changes;
  const actor = event.actor ?? context?.actor;
  const row: Omit<AuditRow, "id" | "hash"> = {
    seq: Number(last?.seq ?? 0) + 1,
    at_ms: context?.atMs ?? nowMs,
    type: context?.type ?? otherEvents.systemChanged,
    project_id: audited.find(({ project_id }) => project_id !== null)?.project_id ?? null,
    request_id: context?.requestId ?? null,
    actor_kind: actor?.kind ?? null,
    actor_id: actor?.id ?? null,
    actor_key_id: actor?.keyId ?? null,
    actor_user_id: actor?.userId ?? null,
    actor_email: actor?.email ?? null,
    actor_ip: context?.ip ?? null,
    changes: JSON.stringify(changes.map(maskChange)),
  };
  const hash = hashEvent(last?.hash ?? FIRST_HASH, row);
  return { ...row, id: buildEventId(row.at_ms, hash), hash };
}

/** Distinguishes several rows under one name, such as a member's ways to sign in. */
function readOwnId({ before, after }: PendingRow): unknown {
  return (JSON.parse(after ?? before ?? "{}") as { id?: unknown }).id;
}

/** Each changed row once, with its first and last state. A row that ends as it began has not changed. */
export function computeNetChanges(pending: readonly PendingRow[]): AuditChange[] {
  const rows = new Map<string, PendingRow>();
  for (const row of pending) {
    const key = JSON.stringify([row.object, row.id, row.subject_id, row.project_id, readOwnId(row)]);
    rows.set(key, { ...row, before: (rows.get(key) ?? row).before });
  }
  const touched = [...rows.values()];
  const changedRows = touched.filter(({ before, after }) => before !== after);
  return (changedRows.length > 0 ? changedRows : touched).map(({ before, after, ...row }) => ({
    ...row,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }));
}

type Fields = Readonly<Record<string, unknown>>;
export type AuditedRow = Pick<AuditChange, "object" | "id" | "subject_id" | "project_id"> & {
  readonly row: Fields;
};

/** The state of a row after its last event; null if that event deleted it. */
interface AuditedState {
  readonly audited: AuditedRow;
  readonly state: Fields | null;
}

/** Identifies a row. A row's own id never changes, so it is used if there is one. */
export function buildAuditedRowKey({ object, id, subject_id, project_id, row }: AuditedRow): string {
  const keyColumns = row.id === undefined ? [subject_id, project_id] : [row.id];
  return JSON.stringify([object, id, ...keyColumns]);
}

/**
 * The last known state of every row in the log, by its key. `events` is called twice and lists all events in order each
 * time.
 */
export function foldAuditLog(
  events: () => Iterable<Pick<AuditRow, "type" | "changes">>,
): Map<string, AuditedState> {
  const states = new Map<string, AuditedState>();
  const apply = (isCut: boolean) => {
    for (const { type, changes } of events()) {
      if ((type === otherEvents.auditCut) === isCut)
        for (const change of JSON.parse(changes) as AuditChange[]) fold(states, change);
    }
  };
  // A cut removed only events that are older than the rest, though the event that sums them up is newer.
  apply(true);
  apply(false);
  return states;
}

function fold(states: Map<string, AuditedState>, { before, after, ...change }: AuditChange): void {
  if (change.object === "audit_logs") return;
  const audited = { ...change, row: after ?? before ?? {} };
  const key = buildAuditedRowKey(audited);
  // An event may hold only some of the row's fields.
  states.set(key, { audited, state: after && { ...states.get(key)?.state, ...after } });
}

type CutRow = Pick<AuditRow, "seq" | "id" | "type" | "at_ms" | "changes" | "hash">;

/** Adds the event of a unit of work, as its last statement: nothing else may be added before it ends. */
export async function appendEvent(
  queries: Database,
  context: AuditContext,
  changes: readonly AuditChange[],
): Promise<void> {
  const session = findNewSession(changes, context);
  const user = await queries
    .selectFrom("users")
    .select("email")
    .where("id", "=", session?.userId ?? null)
    .executeTakeFirst();
  const actor = session && { ...session, email: user?.email ?? null };
  const last = await readLast(queries);
  const event = composeEvent(last, { context, changes, actor, nowMs: context.atMs });
  await queries.insertInto("audit_logs").values(event).execute();
}

/** Adds an event for each change, of rows that no sign-in touches, before the last statement of a unit of work. */
export async function appendEvents(
  queries: Database,
  context: AuditContext,
  changes: readonly AuditChange[],
): Promise<void> {
  let last = await readLast(queries);
  for (let from = 0; from < changes.length; from += LOGGED_AT_ONCE) {
    const rows: AuditRow[] = [];
    for (const change of changes.slice(from, from + LOGGED_AT_ONCE)) {
      const row = composeEvent(last, { context, changes: [change], actor: null, nowMs: context.atMs });
      rows.push(row);
      last = row;
    }
    await queries.insertInto("audit_logs").values(rows).execute();
  }
}

async function readLast(queries: Database): Promise<ChainEnd | null> {
  const query = queries.selectFrom("audit_logs").select(["seq", "hash"]);
  return (await query.orderBy("seq", "desc").limit(1).executeTakeFirst()) ?? null;
}

/**
 * Deletes the oldest events of the audit log written before `untilMs`, at most `limit`, in a unit of work. An event
 * records how many were deleted, the hash that the log continues from, and their data about rows that still exist. So
 * the chain stays verifiable and every row explained.
 * @returns how many were deleted.
 */
export async function pruneAuditLog(
  queries: Database,
  { untilMs, nowMs, limit }: { untilMs: number; nowMs: number; limit: number },
): Promise<number> {
  const oldest = await queries
    .selectFrom("audit_logs")
    .select(["seq", "id", "type", "at_ms", "changes", "hash"])
    .orderBy("seq")
    .limit(limit)
    .execute();
  const keptIndex = oldest.findIndex(({ at_ms }) => at_ms >= untilMs);
  const old = keptIndex < 0 ? oldest : oldest.slice(0, keptIndex);
  const last = old.at(-1);
  if (!last) return 0;
  const after = { length: last.seq, hash: last.hash };
  const cut = { object: "audit_logs", id: last.id, subject_id: null, project_id: null, before: null, after };
  const context = { type: otherEvents.auditCut, atMs: nowMs, requestId: null, ip: null, actor: null };
  await appendEvent(queries, context, [cut, ...stillTold(old)]);
  await queries.deleteFrom("audit_logs").where("seq", "<=", last.seq).execute();
  return old.length;
}

function stillTold(events: readonly CutRow[]): AuditChange[] {
  return [...foldAuditLog(() => events).values()].flatMap(({ audited, state }) => {
    const { object, id, subject_id, project_id } = audited;
    return state ? [{ object, id, subject_id, project_id, before: null, after: state }] : [];
  });
}
