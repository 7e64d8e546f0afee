import type { Database } from "../../database/database";

/** Ends a lease before its time: what its owner still holds or has claimed is free for the others at once. */
export async function giveBackLease(database: Database, owner: string): Promise<void> {
  await database.updateTable("leases").set({ ends_at_ms: 0 }).where("owner", "=", owner).execute();
}
