import "server-only";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { readGateway } from "@/lib/console/read-gateway";
import { pagesKey, type ReadId, type ReadParameters, readKey } from "@/lib/console/reads";

type Read =
  | ReadId
  | readonly [ReadId, ReadParameters]
  | { readonly pages: ReadId; readonly parameters?: ReadParameters };

/** Begins reads on the server without waiting for them; `useRead` and `useReadPages` below pick them up as they arrive. */
export function Prefetched({ reads, children }: { reads: readonly Read[]; children: ReactNode }) {
  const client = new QueryClient();
  for (const read of reads) begin(client, read);
  const state = dehydrate(client, { shouldDehydrateQuery: () => true });
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}

function begin(client: QueryClient, read: Read): void {
  if (typeof read === "object" && "pages" in read) {
    const { pages: id, parameters } = read;
    void client.prefetchInfiniteQuery({
      queryKey: pagesKey(id, parameters),
      queryFn: () => readGateway(id, parameters),
      initialPageParam: undefined,
    });
    return;
  }
  const [id, parameters] = typeof read === "string" ? [read] : read;
  void client.prefetchQuery({
    queryKey: readKey(id, parameters),
    queryFn: () => readGateway(id, parameters),
  });
}
