import "server-only";
import { setTimeout } from "node:timers/promises";
import { dehydrate, QueryClient } from "@tanstack/react-query";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import type { GatewayReply } from "@/lib/console/gateway/problem";
import { readGateway } from "@/lib/console/reads/read-gateway";
import { buildPagesKey, buildReadKey, type ReadId, type ReadParameters } from "@/lib/console/reads/reads";
import { redirectToSignIn } from "@/lib/console/sign-in/session";
import { HydratedReads, LoadAhead } from "./hydrated-reads";

/** A read as a page prefetches it: whole, or the first page of a list that is loaded page by page. */
export type Read =
  | ReadId
  | readonly [ReadId, ReadParameters]
  | { readonly pages: ReadId; readonly parameters?: ReadParameters };

interface PrefetchedProps {
  readonly reads: readonly Read[];
  /**
   * Reads that the page waits for only a moment. Those that take longer show their skeletons until the page's end
   * brings them or, where that would leave the browser loading a document, until the browser has made them again.
   */
  readonly slowReads?: readonly Read[];
  /** Reads of what `useIsPainted` delays. A document has them; a navigation brings them at its end, after the rest. */
  readonly lateReads?: readonly Exclude<Read, { readonly pages: ReadId }>[];
  readonly children: ReactNode;
}

/** A slow read of a small organization takes less, and a skeleton is delayed for more (200 ms). */
const SLOW_READS_TIMEOUT_MS = 100;

/**
 * Makes all reads on the server, then renders its children, whose `useRead` and `useReadRows` find the results.
 * Meanwhile the screen before stays, or `loading.tsx` shows; waiting avoids hydration mismatches. Redirects to the
 * sign-in screen if the session has ended.
 */
export function Prefetched(props: PrefetchedProps) {
  return (
    <>
      <LoadAhead content={props.children} />
      <WithReads {...props} />
    </>
  );
}

async function WithReads({ reads, slowReads = [], lateReads = [], children }: PrefetchedProps) {
  const client = new QueryClient();
  const isDocument = (await headers()).get("sec-fetch-dest") !== "empty";
  // First those that the page needs: the gateway answers long reads one after the other.
  const neededReads = isDocument ? [...reads, ...lateReads] : reads;
  const needed = Promise.all(neededReads.map((read) => fill(client, read)));
  const slow = slowReads.map((read) => ({ queryKey: buildQueryKey(read), reply: fillForText(client, read) }));
  const allSlow = Promise.all(slow.map(({ reply }) => reply));
  const [replies] = await Promise.all([needed, Promise.race([allSlow, setTimeout(SLOW_READS_TIMEOUT_MS)])]);
  if (replies.some((reply) => reply && !reply.ok && reply.problem.code === "unauthenticated")) {
    await redirectToSignIn();
  }
  const pendingReads = isDocument
    ? []
    : slow.filter(({ queryKey }) => client.getQueryData(queryKey) === undefined);
  const state = JSON.stringify(dehydrate(client));
  const late = isDocument
    ? []
    : lateReads.map((read) => ({
        queryKey: buildQueryKey(read),
        reply: allSlow.then(() => fillForText(client, read)),
      }));
  return (
    <HydratedReads state={state} pendingReads={pendingReads} lateReads={late}>
      {children}
    </HydratedReads>
  );
}

/** Returns the reply as JSON; null if the read failed. */
async function fillForText(client: QueryClient, read: Read): Promise<string | null> {
  const reply = await fill(client, read).catch(() => null);
  return reply ? JSON.stringify(reply) : null;
}

async function fill(client: QueryClient, read: Read): Promise<GatewayReply<unknown> | undefined> {
  const queryKey = buildQueryKey(read);
  if (typeof read === "object" && "pages" in read) {
    const { pages: id, parameters } = read;
    const { pages } = await client.fetchInfiniteQuery({
      queryKey,
      queryFn: () => readGateway(id, parameters),
      initialPageParam: undefined,
    });
    return pages[0];
  }
  const [id, parameters] = typeof read === "string" ? [read] : read;
  return client.fetchQuery({ queryKey, queryFn: () => readGateway(id, parameters) });
}

function buildQueryKey(read: Read): readonly unknown[] {
  if (typeof read === "object" && "pages" in read) return buildPagesKey(read.pages, read.parameters);
  const [id, parameters] = typeof read === "string" ? [read] : read;
  return buildReadKey(id, parameters);
}
