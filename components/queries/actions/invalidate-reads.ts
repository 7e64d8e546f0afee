import type { QueryClient } from "@tanstack/react-query";
import { buildReadKey, type ReadId } from "@/lib/console/reads/reads";

/** Reads that a change made outdated; "all" if it can have changed any. */
export type Refetch = readonly ReadId[] | "all";

/** Reads the shown ones again, and others when they are shown. Resolves once the shown ones are read. */
export async function invalidateReads(queryClient: QueryClient, reads: Refetch): Promise<void> {
  const keys = reads === "all" ? [undefined] : reads.map((read) => buildReadKey(read));
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries(queryKey && { queryKey })));
}
