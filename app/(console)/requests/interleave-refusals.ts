import type { LoggedRequest, UnlistedRefusals } from "@/lib/contract/operations/calls/requests";
import type { RequestRow } from "./request-columns";

interface Page {
  readonly data: readonly LoggedRequest[];
  readonly unlisted_refusals: readonly UnlistedRefusals[];
}

/**
 * Returns the rows of all pages, newest first. After the calls of each minute comes the number of its refusals that
 * weren't logged.
 */
export function interleaveRefusals(pages: readonly Page[]): RequestRow[] {
  const rows: RequestRow[] = [];
  const unlisted = pages.flatMap((page) => page.unlisted_refusals);
  let next = 0;
  for (const request of pages.flatMap((page) => page.data)) {
    for (let row = unlisted[next]; row && row.minute > request.created_at; row = unlisted[++next])
      rows.push(row);
    rows.push(request);
  }
  return [...rows, ...unlisted.slice(next)];
}
