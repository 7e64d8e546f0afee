"use client";

import { type DehydratedState, HydrationBoundary } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { toBrowserClock } from "@/components/ui/server-clock";

/** Adds the server's reads to the browser's cache, which compares ages by the browser's clock. */
export function HydratedReads({ state, children }: { state: DehydratedState; children: ReactNode }) {
  const dated = useMemo(() => ({ ...state, queries: state.queries.map(dateByBrowser) }), [state]);
  return <HydrationBoundary state={dated}>{children}</HydrationBoundary>;
}

function dateByBrowser(query: DehydratedState["queries"][number]): DehydratedState["queries"][number] {
  const { dataUpdatedAt } = query.state;
  if (dataUpdatedAt === 0) return query;
  return { ...query, state: { ...query.state, dataUpdatedAt: toBrowserClock(dataUpdatedAt) } };
}
