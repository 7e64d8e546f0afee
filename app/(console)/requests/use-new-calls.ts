"use client";

import { useRead, useReadPages } from "@/components/queries/reads/use-read";
import { useRequestFilter } from "./use-request-filter";

const POLL_MS = 5_000;
export const MAX_NEW_CALLS = 100;

/** Returns the read of the listed calls, and a polled read of the calls newer than those. */
export function useNewCalls(openedAt: number) {
  const { parameters } = useRequestFilter(openedAt);
  const listed = useReadPages("listRequests", parameters);
  const newest = listed.data?.flatMap(({ data }) => data)[0]?.id;
  const since = useRead(
    "listRequests",
    { ...parameters, before: newest, limit: String(MAX_NEW_CALLS) },
    // Until the calls of a changed filter are read, the list shows those of the one before.
    { refetchInterval: POLL_MS, enabled: listed.data !== undefined && !listed.isPlaceholderData },
  );
  return { listed, since };
}
