import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Permission } from "@/lib/contract/access/permissions";
import type { RateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
import type { Tables } from "../database/schema";
import type { KeyCreator } from "../keys/key-records";
import type { PagedList } from "../lists/paged-list";

/** A role as it was given: in a project or, with null, in the organization. */
interface GivenRole {
  readonly roleId: string;
  readonly projectId: string | null;
  /** The time of its assignment, by which another one of the same role is told apart. */
  readonly assignedAtMs: number;
}

/** What is asked for. */
type Asked =
  | {
      readonly kind: "rate_limits";
      readonly projectId: string;
      readonly model: string;
      readonly limits: RateLimitChange;
    }
  | { readonly kind: "spend_limit"; readonly projectId: string | null; readonly cents: number }
  | { readonly kind: "model"; readonly projectId: string; readonly model: string }
  | { readonly kind: "permission"; readonly projectId: string | null; readonly permission: Permission };

/** The lists to which an approval added the model or the project. */
export type GivenAccess = "allow_list" | "deny_list" | "projects";

/** The values that the end of the grant restores; null before an approval, and for other kinds. */
interface Given {
  readonly limitsBefore: RateLimitChange | null;
  readonly centsBefore: number | null;
  readonly givenAccess: readonly GivenAccess[] | null;
  readonly givenRole: GivenRole | null;
}
export const NOTHING_GIVEN: Given = {
  limitsBefore: null,
  centsBefore: null,
  givenAccess: null,
  givenRole: null,
};

interface AccessDecision {
  readonly atMs: number;
  readonly person: KeyCreator;
}

export type AskedKind = Asked["kind"];
export type AskedOf<Kind extends AskedKind> = Asked & { readonly kind: Kind };

export interface AccessRequestRecord {
  readonly id: string;
  readonly asked: Asked;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly createdAtMs: number;
  readonly maker: { readonly id: string; readonly name: string };
  readonly status: Tables["access_requests"]["status"];
  readonly decision: AccessDecision | null;
  readonly declineReason: string | null;
  readonly given: Given;
  readonly endsAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly leftAlone: readonly string[];
}

/** The requests that somebody may see: their own, and those in these places. Null stands for every project. */
export interface Visible {
  readonly makerId: string;
  readonly projects: Readonly<Record<AskedKind, readonly string[] | null>>;
  readonly of: "own" | "others" | undefined;
}

/** Decided requests of one member that are kept. */
const KEPT = 100;

export type AccessRequestStore = ReturnType<typeof createAccessRequestStore>;

export function createAccessRequestStore(reads: Reads) {
  const select = () => reads.selectFrom("access_requests").selectAll();
  const running = () =>
    select()
      .where("status", "=", "approved")
      .where("ends_at_ms", "is not", null)
      .where("ended_at_ms", "is", null);
  return {
    /** Newest first. */
    pages(
      visible: Visible,
      status: AccessRequestRecord["status"] | undefined,
    ): PagedList<AccessRequestRecord> {
      let query = select().where((row) => isVisible(row, visible));
      if (status) query = query.where("status", "=", status);
      return listById(query, { id: "id", defaultOrder: "desc" }, toRecord);
    },
    async find(id: string): Promise<AccessRequestRecord | null> {
      const row = await select().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async listPending(makerId: string): Promise<AccessRequestRecord[]> {
      const rows = await select().where("maker_id", "=", makerId).where("status", "=", "pending").execute();
      return rows.map(toRecord);
    },
    /** Granted requests that end by themselves, oldest first. */
    async listRunning(): Promise<AccessRequestRecord[]> {
      return (await running().orderBy("id").execute()).map(toRecord);
    },
    /** Null unless its gift goes back by itself. */
    async findRunning(id: string): Promise<AccessRequestRecord | null> {
      const row = await running().where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    ...insertWrites(reads),
    ...decisionWrites,
  };
}

function insertWrites(reads: Reads) {
  return {
    /** Inserts a request, and forgets the oldest decided ones of its maker. */
    async insert(
      transaction: Transaction,
      { id, asked, reason, requestId, createdAtMs, maker }: AccessRequestRecord,
    ): Promise<void> {
      await within(transaction)
        .insertInto("access_requests")
        .values({
          id,
          kind: asked.kind,
          project_id: asked.projectId,
          model: "model" in asked ? asked.model : null,
          limits: asked.kind === "rate_limits" ? JSON.stringify(asked.limits) : null,
          threshold_cents: asked.kind === "spend_limit" ? asked.cents : null,
          permission: asked.kind === "permission" ? asked.permission : null,
          reason,
          request_id: requestId,
          created_at_ms: createdAtMs,
          maker_id: maker.id,
          maker_name: maker.name,
          status: "pending",
        })
        .execute();
      const over = await reads
        .selectFrom("access_requests")
        .select("id")
        .where("maker_id", "=", maker.id)
        .where("status", "<>", "pending")
        .where((row) => row.or([row("ends_at_ms", "is", null), row("ended_at_ms", "is not", null)]))
        .orderBy("id", "desc")
        .offset(KEPT)
        .limit(KEPT)
        .execute();
      if (over.length === 0) return;
      const ids = over.map((row) => row.id);
      await within(transaction).deleteFrom("access_requests").where("id", "in", ids).execute();
    },
  };
}

const decisionWrites = {
  /** @returns false if it was already decided. */
  async approve(
    transaction: Transaction,
    id: string,
    { given, endsAtMs, ...decision }: Pick<AccessRequestRecord, "given" | "endsAtMs"> & AccessDecision,
  ): Promise<boolean> {
    return decide(transaction, id, {
      ...toDecision(decision),
      status: "approved",
      ...writeGiven(given),
      ends_at_ms: endsAtMs,
    });
  },
  /** @returns false if it was already decided. */
  async decline(
    transaction: Transaction,
    id: string,
    { reason, ...decision }: AccessDecision & { readonly reason: string | null },
  ): Promise<boolean> {
    return decide(transaction, id, { ...toDecision(decision), status: "declined", decline_reason: reason });
  },
  /** Records that the grant was taken back, except for what somebody had changed. */
  async end(
    transaction: Transaction,
    id: string,
    { atMs, leftAlone }: { atMs: number; leftAlone: readonly string[] },
  ): Promise<void> {
    await within(transaction)
      .updateTable("access_requests")
      .set({ ended_at_ms: atMs, left_alone: JSON.stringify(leftAlone) })
      .where("id", "=", id)
      .execute();
  },
  async saveGiven(transaction: Transaction, id: string, given: Given): Promise<void> {
    await within(transaction)
      .updateTable("access_requests")
      .set(writeGiven(given))
      .where("id", "=", id)
      .execute();
  },
};

type Decided = Partial<Tables["access_requests"]>;

async function decide(transaction: Transaction, id: string, decided: Decided): Promise<boolean> {
  const { numUpdatedRows } = await within(transaction)
    .updateTable("access_requests")
    .set(decided)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function writeGiven({ limitsBefore, centsBefore, givenAccess, givenRole }: Given): Decided {
  return {
    limits_before: limitsBefore && JSON.stringify(limitsBefore),
    threshold_cents_before: centsBefore,
    given_access: givenAccess && JSON.stringify(givenAccess),
    given_role: givenRole && JSON.stringify(givenRole),
  };
}

function toDecision({ atMs, person: { kind, id, name } }: AccessDecision): Decided {
  return { decided_at_ms: atMs, decider_kind: kind, decider_id: id, decider_name: name };
}

function isVisible(
  row: ExpressionBuilder<Tables, "access_requests">,
  { makerId, projects, of }: Visible,
): Expression<SqlBool> {
  const isOwn = row("maker_id", "=", makerId);
  if (of === "own") return isOwn;
  const inPlaces = (kind: AskedKind) => {
    const isKind = row("kind", "=", kind);
    const among = projects[kind];
    if (among === null) return isKind;
    return among.length === 0 ? row.lit(false) : row.and([isKind, row("project_id", "in", among)]);
  };
  const mayDecide = row.or((Object.keys(projects) as AskedKind[]).map(inPlaces));
  return of === "others" ? row.and([mayDecide, row.not(isOwn)]) : row.or([isOwn, mayDecide]);
}

function toRecord(row: Tables["access_requests"]): AccessRequestRecord {
  const { decided_at_ms: atMs, decider_kind: kind, decider_id, decider_name } = row;
  const isDecided = atMs !== null && kind !== null && decider_id !== null && decider_name !== null;
  return {
    id: row.id,
    asked: toAsked(row),
    reason: row.reason,
    requestId: row.request_id,
    createdAtMs: row.created_at_ms,
    maker: { id: row.maker_id, name: row.maker_name },
    status: row.status,
    decision: isDecided ? { atMs, person: { kind, id: decider_id, name: decider_name } } : null,
    declineReason: row.decline_reason,
    given: {
      limitsBefore: parse<RateLimitChange>(row.limits_before),
      centsBefore: row.threshold_cents_before,
      givenAccess: parse<GivenAccess[]>(row.given_access),
      givenRole: parse<GivenRole>(row.given_role),
    },
    endsAtMs: row.ends_at_ms,
    endedAtMs: row.ended_at_ms,
    leftAlone: parse<string[]>(row.left_alone) ?? [],
  };
}

function toAsked(row: Tables["access_requests"]): Asked {
  const { kind, project_id: projectId } = row;
  // The table's checks refuse a request without what its kind has.
  const [inProject, model] = [projectId ?? "", row.model ?? ""];
  switch (kind) {
    case "rate_limits":
      return { kind, projectId: inProject, model, limits: parse<RateLimitChange>(row.limits) ?? {} };
    case "spend_limit":
      return { kind, projectId, cents: row.threshold_cents ?? 0 };
    case "model":
      return { kind, projectId: inProject, model };
    case "permission":
      return { kind, projectId, permission: row.permission as Permission };
  }
}

function parse<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}
