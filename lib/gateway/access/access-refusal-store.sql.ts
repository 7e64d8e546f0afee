import { sql } from "kysely";
import { firstIdAt } from "@/lib/contract/ids";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
import type { Tables } from "../database/schema";
import type { PagedList } from "../lists/paged-list";

export type RefusedCallerKind = "user" | "admin_key" | "project_key";

/** Refusals of one minute that differ in nothing but their time. */
export interface AccessRefusalRecord {
  readonly id: string;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** Null if the request carried no valid key or session. */
  readonly caller: { readonly kind: RefusedCallerKind; readonly id: string; readonly name: string } | null;
  /** Null for a row that sums the refusals of one caller beyond its own rows. */
  readonly operation: string | null;
  readonly projectId: string | null;
  readonly ip: string | null;
  readonly status: number;
  readonly code: string;
  readonly refusals: number;
  /** The request of the first of them. */
  readonly requestId: string;
}

interface AccessRefusalFilter {
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly callerIds?: readonly string[] | undefined;
  readonly codes?: readonly string[] | undefined;
  readonly ipAddresses?: readonly string[] | undefined;
}

export type AccessRefusalStore = ReturnType<typeof createAccessRefusalStore>;

export function createAccessRefusalStore(reads: Reads) {
  return {
    /** Stores a row, or adds to the stored row with its id. */
    async add(
      transaction: Transaction,
      { caller, firstAtMs, lastAtMs, projectId, requestId, ...row }: AccessRefusalRecord,
    ): Promise<void> {
      await within(transaction)
        .insertInto("access_refusals")
        .values({
          ...row,
          first_at_ms: firstAtMs,
          last_at_ms: lastAtMs,
          caller_kind: caller?.kind ?? null,
          caller_id: caller?.id ?? null,
          caller_name: caller?.name ?? null,
          project_id: projectId,
          request_id: requestId,
        })
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet({
            refusals: sql`access_refusals.refusals + excluded.refusals`,
            last_at_ms: sql`excluded.last_at_ms`,
          }),
        )
        .execute();
    },
    /** Newest first. */
    pages({
      fromMs,
      untilMs,
      callerIds,
      codes,
      ipAddresses,
    }: AccessRefusalFilter): PagedList<AccessRefusalRecord> {
      let query = reads.selectFrom("access_refusals").selectAll();
      if (fromMs !== undefined) query = query.where("id", ">=", firstIdAt("refusal", fromMs));
      if (untilMs !== undefined) query = query.where("id", "<", firstIdAt("refusal", untilMs));
      if (callerIds !== undefined) query = query.where("caller_id", "in", callerIds);
      if (codes !== undefined) query = query.where("code", "in", codes);
      if (ipAddresses !== undefined) query = query.where("ip", "in", ipAddresses);
      return listById(query, { id: "id", defaultOrder: "desc" }, toRecord);
    },
  };
}

function toRecord(row: Tables["access_refusals"]): AccessRefusalRecord {
  const { caller_kind: kind, caller_id: id, caller_name: name } = row;
  return {
    id: row.id,
    firstAtMs: row.first_at_ms,
    lastAtMs: row.last_at_ms,
    caller: kind !== null && id !== null && name !== null ? { kind, id, name } : null,
    operation: row.operation,
    projectId: row.project_id,
    ip: row.ip,
    status: row.status,
    code: row.code,
    refusals: row.refusals,
    requestId: row.request_id,
  };
}
