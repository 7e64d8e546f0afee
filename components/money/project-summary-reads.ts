import type { Read } from "@/components/queries/reads/prefetched";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import type { Sort } from "@/components/ui/table/sort-rows";
import type { ReadParameters } from "@/lib/console/reads/reads";

/** Which projects are listed, and by what: the parameters of the address. */
export const projectFilters = ["status", "sort", "q"] as const;

const PAGE = "100";

/** The projects that cost most come first. */
export const bySpent: Sort = { column: "spent_amount", descending: true };
/** The projects that will reach their limit first come first. */
export const byReached: Sort = { column: "limit_reached_at", descending: false };

/** Returns the sort of the address, `-spent_amount` for the most first, or the one that the screen begins with. */
export function parseProjectSort(sort: string, usual: Sort): Sort {
  const [, minus, column] = /^(-?)([a-z_]+)$/.exec(sort) ?? [];
  return column ? { column, descending: minus === "-" } : usual;
}

export function formatProjectSort({ column, descending }: Sort): string {
  return `${descending ? "-" : ""}${column}`;
}

/** Returns the parameters of the list of projects with their month. */
export function projectSummaryParameters(find: FindInAddress, usual: Sort): ReadParameters {
  const { column, descending } = parseProjectSort(find("sort"), usual);
  const status = find("status");
  return {
    ...((status === "archived" || status === "all") && { status }),
    order_by: column,
    order: descending ? "desc" : "asc",
    search: find("q").trim().slice(0, 200) || undefined,
    limit: PAGE,
  };
}

export function projectSummaryRead(find: FindInAddress, usual: Sort): Read {
  return { pages: "listProjectSummaries", parameters: projectSummaryParameters(find, usual) };
}
