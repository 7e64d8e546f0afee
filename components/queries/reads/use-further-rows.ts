"use client";

import { useState } from "react";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import type { FurtherRows } from "@/components/ui/table/filtered-list";
import type { ReadId, ReadParameters, ReadReply } from "@/lib/console/reads/reads";
import { useReadRows } from "./use-read";

type ListId = ReadId & `list${string}`;
type FirstPage<Id extends ListId> = ReadReply<Id> & { last_id?: string | null };

/**
 * Reads what a list has besides its first rows: what the gateway finds by the search in the address, or the rows after
 * the first ones, once they are asked for.
 * @param parameter the parameter of the address with the search, as `FilteredList` has it.
 */
export function useFurtherRows<Id extends ListId>(
  [id, parameters]: readonly [Id, ReadParameters],
  first: FirstPage<Id> | undefined,
  parameter = "q",
): FurtherRows<ReadReply<Id>["data"][number]> {
  const [typed] = useUrlParameter(parameter);
  const [isAsked, setIsAsked] = useState(false);
  const search = typed.trim();
  const hasMore = first?.has_more ?? false;
  const isSearched = hasMore && search !== "";
  const further = useReadRows(
    id,
    { ...parameters, ...(isSearched ? { search } : { after: first?.last_id ?? undefined }) },
    { enabled: isSearched || (hasMore && isAsked) },
  );
  // The rows of the search before are not those of this one.
  const rows = (isSearched || isAsked) && !further.isPlaceholderData ? further.data : undefined;
  return {
    isSearched,
    rows,
    isPending: further.isFetching,
    hasMore: rows ? further.hasNextPage : hasMore,
    loadMore: () => (rows ? void further.fetchNextPage() : setIsAsked(true)),
  };
}
