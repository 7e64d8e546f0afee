import { Page } from "../page";
import { DelayedSkeleton } from "./delayed-skeleton";
import { PageHeadSkeleton, TableSkeleton } from "./skeleton";

/** What a list page shows until it is loaded. */
export function ListLoading({ rows = 12, columns = 6 }: { rows?: number; columns?: number }) {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <TableSkeleton rows={rows} columns={columns} />
      </Page>
    </DelayedSkeleton>
  );
}
