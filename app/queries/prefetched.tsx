import "server-only";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { readGateway } from "@/lib/console/read-gateway";
import { pagesKey, type ReadId, type ReadParameters, readKey } from "@/lib/console/reads";
import { redirectToSignIn } from "@/lib/console/session";

type Read =
  | ReadId
  | readonly [ReadId, ReadParameters]
  | { readonly pages: ReadId; readonly parameters?: ReadParameters };

type ReadOnce = (id: ReadId, parameters?: ReadParameters) => Promise<unknown>;

/**
 * Does reads on the server, all at once, and shows what is below with their outcome: `useRead` and `useReadPages` find it.
 * Meanwhile the screen's `loading.tsx` stands, or a `<Suspense>` around. It waits because a read that comes in between
 * would make the page in the browser another than the server's. A session that is over leads to the sign-in screen.
 */
export async function Prefetched({ reads, children }: { reads: readonly Read[]; children: ReactNode }) {
  const client = new QueryClient();
  let isOver = false;
  const readOnce = async (id: ReadId, parameters?: ReadParameters) => {
    const reply = await readGateway(id, parameters);
    if (!reply.ok && reply.problem.code === "unauthenticated") isOver = true;
    return reply;
  };
  await Promise.all(reads.map((read) => fill(client, read, readOnce)));
  if (isOver) await redirectToSignIn();
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

function fill(client: QueryClient, read: Read, readOnce: ReadOnce): Promise<void> {
  if (typeof read === "object" && "pages" in read) {
    const { pages: id, parameters } = read;
    return client.prefetchInfiniteQuery({
      queryKey: pagesKey(id, parameters),
      queryFn: () => readOnce(id, parameters),
      initialPageParam: undefined,
    });
  }
  const [id, parameters] = typeof read === "string" ? [read] : read;
  return client.prefetchQuery({ queryKey: readKey(id, parameters), queryFn: () => readOnce(id, parameters) });
}
