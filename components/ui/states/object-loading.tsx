import { Page } from "../page";
import { DelayedSkeleton } from "./delayed-skeleton";
import { PageHeadSkeleton, Skeleton } from "./skeleton";

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
