"use client";

import { type DehydratedState, HydrationBoundary, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo } from "react";
import { toBrowserClock } from "@/components/ui/time/server-clock";
import { type PendingRead, PendingReplies, PendingRepliesContext } from "./pending-reads";

interface HydratedReadsProps {
  /** A `DehydratedState` as JSON: React sends a long text many times faster than the objects in it. */
  readonly state: string;
  /** Screens first show these as loading, so that the browser's first render is that of the server. */
  readonly pendingReads: readonly PendingRead[];
  /** Reads of what is mounted once the page is painted. */
  readonly lateReads: readonly PendingRead[];
  readonly children: ReactNode;
}

/** Adds the server's reads to the browser's cache, which compares ages by the browser's clock. */
export function HydratedReads({ state, pendingReads, lateReads, children }: HydratedReadsProps) {
  const dated = useMemo(() => {
    const { queries, ...rest }: DehydratedState = JSON.parse(state);
    return { ...rest, queries: queries.map(restoreFirstPage).map(dateByBrowser) };
  }, [state]);
  const pendingReplies = useMemo(
    () => new PendingReplies(pendingReads, lateReads),
    [pendingReads, lateReads],
  );
  const client = useQueryClient();
  // Runs after the effects of the children, in which they begin their reads.
  useEffect(() => void pendingReplies.settle(client), [pendingReplies, client]);
  return (
    <PendingRepliesContext value={pendingReplies}>
      <HydrationBoundary state={dated}>{children}</HydrationBoundary>
    </PendingRepliesContext>
  );
}

/** The first page of a list has no parameter, which JSON can't express. */
function restoreFirstPage(query: DehydratedState["queries"][number]): DehydratedState["queries"][number] {
  const data = query.state.data as { pageParams?: unknown } | undefined;
  if (!data?.pageParams) return query;
  return { ...query, state: { ...query.state, data: { ...data, pageParams: [undefined] } } };
}

function dateByBrowser(query: DehydratedState["queries"][number]): DehydratedState["queries"][number] {
  const { dataUpdatedAt } = query.state;
  if (dataUpdatedAt === 0) return query;
  return { ...query, state: { ...query.state, dataUpdatedAt: toBrowserClock(dataUpdatedAt) } };
}

/**
 * Renders nothing. Passing `content` through a client component makes the browser load its code at once, before the
 * reads end.
 */
export function LoadAhead(_props: { readonly content: ReactNode }) {
  return null;
}
