import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";

/** Default limits that were set over those of the file: of a model, or of every model. */
export interface StoredLimitDefaults {
  readonly id: string;
  readonly own: Partial<RateLimitValues>;
}

export function createLimitDefaultStore(reads: Reads) {
  return {
    async list(): Promise<StoredLimitDefaults[]> {
      const rows = await reads.selectFrom("rate_limit_defaults").selectAll().execute();
      return rows.map(({ id, limits }) => ({ id, own: JSON.parse(limits) as Partial<RateLimitValues> }));
    },
    /** Without own limits the row goes. */
    async save(
      transaction: Transaction,
      { id, own }: StoredLimitDefaults,
      updated_at_ms: number,
    ): Promise<void> {
      const queries = within(transaction);
      if (Object.keys(own).length === 0) {
        await queries.deleteFrom("rate_limit_defaults").where("id", "=", id).execute();
        return;
      }
      const columns = { limits: JSON.stringify(own), updated_at_ms };
      await queries
        .insertInto("rate_limit_defaults")
        .values({ id, ...columns })
        .onConflict((row) => row.column("id").doUpdateSet(columns))
        .execute();
    },
  };
}
