import {
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import type { LimitEdit } from "@/lib/contract/operations/models/rate-limits";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
import type { Tables } from "../database/schema";
import type { KeyCreator } from "../keys/key-records";
import type { PagedList } from "../lists/paged-list";
import type { LimitPlace } from "./limit-change-store.sql";

/** The numbers above which a raised limit needs a second person. */
export type ApprovalBounds = Partial<Record<RateLimitField, number>>;

type DraftStatus = "pending" | "approved" | "declined" | "saved";

/** Changes, or new bounds, that a second person is asked to approve. */
export interface AskedDraft {
  readonly id: string;
  readonly createdAtMs: number;
  readonly maker: KeyCreator;
  readonly status: DraftStatus;
  /** Of the changes: the same for the same changes, in any order. */
  readonly digest: string;
  readonly changes: readonly (LimitPlace & { readonly after: LimitEdit })[];
  /** Null for changes of limits. */
  readonly bounds: ApprovalBounds | null;
  readonly decision: {
    readonly atMs: number;
    readonly person: KeyCreator;
    readonly reason: string | null;
  } | null;
}

export type LimitApprovalStore = ReturnType<typeof createLimitApprovalStore>;

export function createLimitApprovalStore(reads: Reads) {
  const select = () => reads.selectFrom("rate_limit_drafts").selectAll();
  const readRule = () => reads.selectFrom("rate_limit_bounds").selectAll().executeTakeFirst();
  return {
    async bounds(): Promise<ApprovalBounds> {
      const row = await readRule();
      return row ? JSON.parse(row.bounds) : {};
    },
    /** Since when there have been bounds without a gap; null while there are none. */
    async since(): Promise<number | null> {
      return (await readRule())?.since_ms ?? null;
    },
    /** Newest first: of one maker, or of all with null. */
    pages(makerId: string | null, status?: DraftStatus): PagedList<AskedDraft> {
      let query = select();
      if (makerId !== null) query = query.where("maker_id", "=", makerId);
      if (status) query = query.where("status", "=", status);
      return listById(query, { id: "id", defaultOrder: "desc" }, toDraft);
    },
    async find(id: string): Promise<AskedDraft | null> {
      const row = await select().where("id", "=", id).executeTakeFirst();
      return row ? toDraft(row) : null;
    },
    /** The maker's approval request with these changes: the pending one, the approved one, or else the last. */
    async findLast(makerId: string, digest: string): Promise<AskedDraft | null> {
      const rows = await select()
        .where("maker_id", "=", makerId)
        .where("digest", "=", digest)
        .orderBy("id", "desc")
        .limit(100)
        .execute();
      const withStatus = (status: DraftStatus) => rows.find((row) => row.status === status);
      const row = withStatus("pending") ?? withStatus("approved") ?? rows[0];
      return row ? toDraft(row) : null;
    },
    /** The change of the bounds that waits; null without one. */
    async findWaitingBounds(): Promise<AskedDraft | null> {
      const row = await select()
        .where("status", "=", "pending")
        .where("bounds", "is not", null)
        .orderBy("id", "desc")
        .executeTakeFirst();
      return row ? toDraft(row) : null;
    },
    saveBounds,
    insert,
    decide,
  };
}

async function saveBounds(
  transaction: Transaction,
  bounds: ApprovalBounds,
  sinceMs: number | null,
): Promise<void> {
  const isNone = rateLimitFields.every((field) => bounds[field] === undefined);
  const columns = { bounds: JSON.stringify(bounds), since_ms: isNone ? null : sinceMs };
  await within(transaction)
    .insertInto("rate_limit_bounds")
    .values({ id: "rate_limits", ...columns })
    .onConflict((row) => row.column("id").doUpdateSet(columns))
    .execute();
}

/** @returns false if it no longer has the status `from`. */
async function decide(
  transaction: Transaction,
  id: string,
  from: DraftStatus,
  to: Partial<Pick<Tables["rate_limit_drafts"], "decided_at_ms" | "reason">> & {
    status: DraftStatus;
    person?: KeyCreator;
  },
): Promise<boolean> {
  const { person, ...columns } = to;
  const decider = person && {
    decider_kind: person.kind,
    decider_id: person.id,
    decider_name: person.name,
  };
  const { numUpdatedRows } = await within(transaction)
    .updateTable("rate_limit_drafts")
    .set({ ...columns, ...decider })
    .where("id", "=", id)
    .where("status", "=", from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function insert(transaction: Transaction, draft: AskedDraft): Promise<void> {
  const { id, createdAtMs, maker, status, digest, changes, bounds } = draft;
  await within(transaction)
    .insertInto("rate_limit_drafts")
    .values({
      id,
      created_at_ms: createdAtMs,
      maker_kind: maker.kind,
      maker_id: maker.id,
      maker_name: maker.name,
      status,
      digest,
      changes: JSON.stringify(changes),
      bounds: bounds && JSON.stringify(bounds),
      decided_at_ms: null,
      decider_kind: null,
      decider_id: null,
      decider_name: null,
      reason: null,
    })
    .execute();
}

function toDraft(row: Tables["rate_limit_drafts"]): AskedDraft {
  const { decided_at_ms: atMs, decider_kind: kind, decider_id: id, decider_name: name } = row;
  const isDecided = atMs !== null && kind !== null && id !== null && name !== null;
  return {
    id: row.id,
    createdAtMs: row.created_at_ms,
    maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
    status: row.status,
    digest: row.digest,
    changes: JSON.parse(row.changes),
    bounds: row.bounds === null ? null : JSON.parse(row.bounds),
    decision: isDecided ? { atMs, person: { kind, id, name }, reason: row.reason } : null,
  };
}

/** The limits that an edit raises above a bound. One that isn't set before is raised by any value. */
export function listRaised(
  bounds: ApprovalBounds,
  edit: LimitEdit,
  present: Partial<RateLimitValues>,
): RateLimitField[] {
  return rateLimitFields.filter((field) => {
    const [to, from, bound] = [edit[field], present[field], bounds[field]];
    if (to === undefined || to === "default" || bound === undefined) return false;
    if (to !== null && to <= bound) return false;
    return from === undefined || (from !== null && (to === null || to > from));
  });
}
