import {
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import type { RateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import { type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { dialectOf, sql } from "../database/fragment";
import type { Tables } from "../database/schema";
import { groupBy } from "../lists/group-by";

/** The limits that were set by hand for one project and model. The others follow the model's defaults. */
export type OwnLimits = RateLimitChange;

interface SavedRateLimit {
  readonly projectId: string;
  readonly model: string;
  readonly own: OwnLimits;
}

/** What to save: without own limits the row goes, and everything follows the defaults again. */
interface RateLimitDraft extends SavedRateLimit {
  /** The limits as they are with `own`. */
  readonly values: RateLimitValues;
}

/** Rows written before other requests are served: a few milliseconds. */
const WRITTEN_AT_ONCE = 250;

export type RateLimitStore = ReturnType<typeof createRateLimitStore>;

export function createRateLimitStore(reads: Reads) {
  const select = () => reads.selectFrom("rate_limits").selectAll();
  return {
    async list(): Promise<SavedRateLimit[]> {
      return (await select().execute()).map(toSaved);
    },
    /** Null if nothing was saved. */
    async find(projectId: string, model: string): Promise<SavedRateLimit | null> {
      const row = await select()
        .where("project_id", "=", projectId)
        .where("model", "=", model)
        .executeTakeFirst();
      return row ? toSaved(row) : null;
    },
    /** The saved limits of these projects and models, at most a few hundred. */
    async findMany(pairs: readonly Omit<SavedRateLimit, "own">[]): Promise<SavedRateLimit[]> {
      const given = dialectOf(reads).givenRows(pairs, { projectId: "text", model: "text" });
      const { rows } = await sql<Tables["rate_limits"]>`
        SELECT rate_limits.* FROM ${given} JOIN rate_limits
          ON rate_limits.project_id = given."projectId" AND rate_limits.model = given.model`.execute(reads);
      return rows.map(toSaved);
    },
    /** Saves limits a few at a time, so that no call waits for all of them. Each pair occurs once. */
    async save(
      transaction: Transaction,
      drafts: readonly RateLimitDraft[],
      updatedAtMs: number,
    ): Promise<void> {
      for (let from = 0; from < drafts.length; from += WRITTEN_AT_ONCE) {
        if (from > 0) await new Promise(setImmediate);
        await saveTogether(transaction, drafts.slice(from, from + WRITTEN_AT_ONCE), updatedAtMs);
      }
    },
  };
}

async function saveTogether(
  transaction: Transaction,
  drafts: readonly RateLimitDraft[],
  updated_at_ms: number,
): Promise<void> {
  const isEmpty = ({ own }: RateLimitDraft) => Object.keys(own).length === 0;
  const kept = drafts.filter((draft) => !isEmpty(draft));
  if (kept.length > 0) {
    const rows = kept.map(({ projectId: project_id, model, own, values }) => {
      const own_fields = JSON.stringify(rateLimitFields.filter((field) => own[field] !== undefined));
      return { project_id, model, ...values, own_fields, updated_at_ms };
    });
    const columns = [...rateLimitFields, "own_fields", "updated_at_ms"] as const;
    await within(transaction)
      .insertInto("rate_limits")
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(["project_id", "model"])
          .doUpdateSet(
            (row) => Object.fromEntries(columns.map((name) => [name, row.ref(`excluded.${name}`)])) as never,
          ),
      )
      .execute();
  }
  for (const [projectId, gone] of groupBy(drafts.filter(isEmpty), (draft) => draft.projectId)) {
    await within(transaction)
      .deleteFrom("rate_limits")
      .where("project_id", "=", projectId)
      .where(
        "model",
        "in",
        gone.map(({ model }) => model),
      )
      .execute();
  }
}

/** Parsed once for each of the few lists of fields that occur. */
const parsedFields = new Map<string, RateLimitField[]>();

function parseFields(text: string): RateLimitField[] {
  const known = parsedFields.get(text);
  if (known) return known;
  const fields: RateLimitField[] = JSON.parse(text);
  parsedFields.set(text, fields);
  return fields;
}

function toSaved(row: Tables["rate_limits"]): SavedRateLimit {
  const own: Record<string, number | null> = {};
  for (const field of parseFields(row.own_fields)) own[field] = row[field];
  return { projectId: row.project_id, model: row.model, own: own as OwnLimits };
}
