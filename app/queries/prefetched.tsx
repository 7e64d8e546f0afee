import "server-only";
import { setTimeout } from "node:timers/promises";
import { dehydrate, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { GatewayReply } from "@/lib/console/gateway/problem";
import { readGateway } from "@/lib/console/reads/read-gateway";
import { pagesKey, type ReadId, type ReadParameters, readKey } from "@/lib/console/reads/reads";
import { redirectToSignIn } from "@/lib/console/sign-in/session";
import { HydratedReads } from "./hydrated-reads";

type Read =
  | ReadId
  | readonly [ReadId, ReadParameters]
  | { readonly pages: ReadId; readonly parameters?: ReadParameters };

interface PrefetchedProps {
  readonly reads: readonly Read[];
  readonly slowReads?: readonly Read[];
  readonly children: ReactNode;
}

/** Longer than such a read takes while the organization is small, and short enough that no skeleton of the screen is shown. */
const PATIENCE_MS = 100;

/**
 * Makes all reads on the server, then renders its children, whose `useRead` and `useReadPages` find the results. Meanwhile the screen
 * before stays, or `loading.tsx` shows; waiting avoids hydration mismatches. Redirects to the sign-in screen if the session has
 * ended. The page waits only a moment for `slowReads`; the browser makes those again that take longer, and shows their skeletons.
 */
export async function Prefetched({ reads, slowReads = [], children }: PrefetchedProps) {
  const client = new QueryClient();
  // First those that the page needs: the gateway answers long reads one after the other.
  const needed = Promise.all(reads.map((read) => fill(client, read)));
  const slow = Promise.all(slowReads.map((read) => fill(client, read)));
  const [replies] = await Promise.all([needed, Promise.race([slow, setTimeout(PATIENCE_MS)])]);
  if (replies.some((reply) => reply && !reply.ok && reply.problem.code === "unauthenticated")) {
    await redirectToSignIn();
  }
  return <HydratedReads state={dehydrate(client)}>{children}</HydratedReads>;
}

async function fill(client: QueryClient, read: Read): Promise<GatewayReply<unknown> | undefined> {
  if (typeof read === "object" && "pages" in read) {
    const { pages: id, parameters } = read;
    const { pages } = await client.fetchInfiniteQuery({
      queryKey: pagesKey(id, parameters),
      queryFn: () => readGateway(id, parameters),
      initialPageParam: undefined,
    });
    return pages[0];
  }
  const [id, parameters] = typeof read === "string" ? [read] : read;
  return client.fetchQuery({
    queryKey: readKey(id, parameters),
    queryFn: () => readGateway(id, parameters),
  });
}
