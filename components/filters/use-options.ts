"use client";

import type { QueryClient } from "@tanstack/react-query";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import type { ReadParameters, ReadReply } from "@/lib/console/reads/reads";
import { optionReads } from "./filter-reads";

/** The options that a search shows. More typing finds the others. */
const FOUND = "100";
const SETTLE_MS = 150;

/**
 * Reads what a filter offers, once the screen has what it shows first: a thousand members take as long to read as a
 * chart. Until then it is pending, or what the server has read already. `search` is set for a list that has more, and
 * `rows` then are those that the gateway found.
 */
export function useOptions<Id extends keyof typeof optionReads>(id: Id) {
  const client = useQueryClient();
  const [isScreenRead, setIsScreenRead] = useState(false);
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed.trim(), SETTLE_MS);
  useEffect(() => awaitReads(client, () => setIsScreenRead(true)), [client]);
  const [, parameters]: readonly [string, ReadParameters] = optionReads[id];
  const first = useRead(id, parameters, { enabled: isScreenRead });
  const hasMore = first.data?.has_more ?? false;
  const isSearched = hasMore && search !== "";
  const found = useRead(id, { ...parameters, search, limit: FOUND }, { enabled: isSearched });
  const shown = (isSearched ? found.data : first.data) as ReadReply<Id> | undefined;
  return {
    isPending: first.isPending,
    rows: (shown?.data ?? []) as ReadReply<Id>["data"],
    search: hasMore ? setTyped : undefined,
  };
}

/**
 * Calls back once no read is under way.
 * @returns a function that stops waiting.
 */
export function awaitReads(client: QueryClient, onEnd: () => void): () => void {
  const look = () => {
    if (client.isFetching() > 0) return;
    stop();
    onEnd();
  };
  const unsubscribe = client.getQueryCache().subscribe(({ type }) => type === "updated" && look());
  // By then, the effects of all parts of the screen have begun their reads.
  const timer = setTimeout(look);
  const stop = () => {
    clearTimeout(timer);
    unsubscribe();
  };
  return stop;
}
