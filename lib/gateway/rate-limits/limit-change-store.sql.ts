import type { SqlBool } from "kysely";
import {
  ORGANIZATION_DEFAULTS,
  type RateLimitField,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import { readRateLimitModel } from "@/lib/contract/ids";
import type { LimitEdit } from "@/lib/contract/operations/models/rate-limits";
import type { AuditChange } from "../changes/audit/audit-event";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { contains, sql } from "../database/fragment";
import { listById } from "../database/list-pages";
import type { Tables } from "../database/schema";
import type { KeyCreator } from "../keys/key-records";
import type { PagedList } from "../lists/paged-list";

/** Where limits are set: in a project, in a plan or, without either, as defaults. */
export interface LimitPlace {
  readonly projectId: string | null;
  readonly planId: string | null;
  /** Empty for every model, in a plan or as a default. */
  readonly model: string;
}

/** What a change did in one place: each limit that it changed, before and after. */
export interface SavedLimitChange extends LimitPlace {
  readonly before: LimitEdit;
  readonly after: LimitEdit;
}

export interface LimitChangesSummary {
  readonly id: string;
  readonly createdAtMs: number;
  readonly maker: KeyCreator;
  readonly size: number;
  readonly undoes: string | null;
  readonly undoneBy: string | null;
}

/** A change of several rate limits at once. */
export interface LimitChangesRecord extends LimitChangesSummary {
  readonly changes: readonly SavedLimitChange[];
}

/** One limit in its place. */
export interface LimitCell extends LimitPlace {
  readonly field: RateLimitField;
}

const summaryColumns = [
  "id",
  "created_at_ms",
  "maker_kind",
  "maker_id",
  "maker_name",
  "size",
  "undoes",
  "undone_by",
] as const;

export type LimitChangeStore = ReturnType<typeof createLimitChangeStore>;

export function createLimitChangeStore(reads: Reads) {
  return {
    /** Newest first, of those that changed a limit in one of these projects; of all with null. */
    pages(projectIds: readonly string[] | null): PagedList<LimitChangesSummary> {
      let query = reads.selectFrom("rate_limit_changes").select(summaryColumns);
      if (projectIds !== null) query = query.where(touchesProject(projectIds));
      return listById(query, { id: "id", defaultOrder: "desc" }, toSummary);
    },
    async find(id: string): Promise<LimitChangesRecord | null> {
      const row = await reads
        .selectFrom("rate_limit_changes")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirst();
      if (!row) return null;
      // The first changes were of projects alone, and named no plan.
      const changes: SavedLimitChange[] = JSON.parse(row.changes);
      return {
        ...toSummary(row),
        changes: changes.map((change) => ({ ...change, planId: change.planId ?? null })),
      };
    },
    /** Inserts a change, and marks the one that it takes back. */
    async insert(transaction: Transaction, made: LimitChangesRecord): Promise<void> {
      const { id, createdAtMs, maker, size, changes, undoes } = made;
      const projects = [...new Set(changes.flatMap(({ projectId }) => projectId ?? []))];
      await within(transaction)
        .insertInto("rate_limit_changes")
        .values({
          id,
          created_at_ms: createdAtMs,
          maker_kind: maker.kind,
          maker_id: maker.id,
          maker_name: maker.name,
          size,
          project_ids: JSON.stringify(projects),
          changes: JSON.stringify(changes),
          undoes,
          undone_by: null,
        })
        .execute();
      if (undoes === null) return;
      await within(transaction)
        .updateTable("rate_limit_changes")
        .set({ undone_by: id })
        .where("id", "=", undoes)
        .execute();
    },
    /** Who last changed each of these limits since a change, by the audit log; limits without an entry are left out. */
    findEditors: (changesId: string, cells: readonly LimitCell[]) => findEditors(reads, changesId, cells),
  };
}

/** An id between quotes occurs in a list of ids exactly if it is one of them. */
function touchesProject(projectIds: readonly string[]) {
  const named = projectIds.map((id) => contains("project_ids", JSON.stringify(id)));
  return named.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(named, sql` OR `)})`;
}

/** Events read before other requests are served. */
const EVENTS_AT_ONCE = 100;

async function findEditors(
  reads: Reads,
  changesId: string,
  cells: readonly LimitCell[],
): Promise<Map<string, string>> {
  const sought = new Set(cells.map(buildCellKey));
  const editors = new Map<string, string>();
  for (let before = Number.MAX_SAFE_INTEGER; sought.size > 0; ) {
    const events = await readLimitEvents(reads, before, changesId);
    for (const { seq, editor, changes } of events) {
      before = seq;
      const rows: AuditChange[] = JSON.parse(changes);
      // A change's own event is the last one of its transaction.
      if (rows.some(({ object, id }) => object === "rate_limit_changes" && id === changesId)) return editors;
      for (const key of rows.flatMap(listEditedCells))
        if (sought.delete(key) && editor !== null) editors.set(key, editor);
    }
    if (events.length < EVENTS_AT_ONCE) break;
    await new Promise(setImmediate);
  }
  return editors;
}

export function buildCellKey({ projectId, planId, model, field }: LimitCell): string {
  return `${projectId ?? planId ?? "default"} ${field} ${model}`;
}

function listEditedCells(change: AuditChange): string[] {
  const { object, id, subject_id, project_id, before, after } = change;
  if (object === "limit_plan_limits")
    return listEditedLimits(change, { projectId: null, planId: id, model: subject_id ?? "" });
  if (object === "rate_limit_defaults") {
    const model = id === ORGANIZATION_DEFAULTS ? "" : id;
    return listEditedLimits(change, { projectId: null, planId: null, model });
  }
  if (object !== "rate_limits" || project_id === null) return [];
  const isOwn = (row: AuditChange["after"], field: RateLimitField) =>
    row !== null && String(row.own_fields).includes(`"${field}"`);
  return rateLimitFields
    .filter((field) => before?.[field] !== after?.[field] || isOwn(before, field) !== isOwn(after, field))
    .map((field) =>
      buildCellKey({ projectId: project_id, planId: null, model: readRateLimitModel(id), field }),
    );
}

/** Of rows that hold their limits as JSON. */
function listEditedLimits({ before, after }: AuditChange, place: LimitPlace): string[] {
  const read = (row: AuditChange["after"]): LimitEdit => (row === null ? {} : JSON.parse(String(row.limits)));
  const [one, other] = [read(before), read(after)];
  return rateLimitFields
    .filter((field) => one[field] !== other[field])
    .map((field) => buildCellKey({ ...place, field }));
}

const limitTables = ["rate_limits", "rate_limit_defaults", "limit_plan_limits"];

/** The events before a position that changed a rate limit, and that of a change of many, newest first. */
function readLimitEvents(reads: Reads, before: number, changesId: string) {
  return reads
    .selectFrom("audit_logs")
    .leftJoin("admin_api_keys as admin", "admin.id", "audit_logs.actor_key_id")
    .leftJoin("project_api_keys as key", "key.id", "audit_logs.actor_id")
    .select(["audit_logs.seq", "audit_logs.changes"])
    .select(sql<string | null>`coalesce(audit_logs.actor_email, admin.name, key.name)`.as("editor"))
    .where("audit_logs.seq", "<", before)
    .where(
      sql<SqlBool>`(${sql.join(
        limitTables.map((table) => contains("audit_logs.changes", `"object":"${table}"`)),
        sql` OR `,
      )} OR ${contains("audit_logs.changes", JSON.stringify(changesId))})`,
    )
    .orderBy("audit_logs.seq", "desc")
    .limit(EVENTS_AT_ONCE)
    .execute();
}

function toSummary(
  row: Pick<Tables["rate_limit_changes"], (typeof summaryColumns)[number]>,
): LimitChangesSummary {
  return {
    id: row.id,
    createdAtMs: row.created_at_ms,
    maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
    size: row.size,
    undoes: row.undoes,
    undoneBy: row.undone_by,
  };
}
