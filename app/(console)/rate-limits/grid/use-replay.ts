"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { replayLimitChanges } from "../actions";
import { type ListedChange, toRequest } from "./list-changes";

/** What the changes would have done to the calls of the last days. The result before stays while they are edited. */
export function useReplay(changes: readonly ListedChange[], days: number) {
  const request = toRequest(changes);
  return useActionQuery({
    queryKey: ["limit-replay", days, JSON.stringify(request)],
    ask: () => replayLimitChanges({ changes: request, days }),
    enabled: changes.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}
