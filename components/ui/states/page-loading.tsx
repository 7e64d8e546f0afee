import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "./delayed-skeleton";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "./skeleton";

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

/** What the page of an object that can't be edited shows until it is loaded. */
export function ObjectLoading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <Skeleton className="mb-6 h-64 w-full" />
        <Skeleton className="h-32 w-full" />
      </Page>
    </DelayedSkeleton>
  );
}
