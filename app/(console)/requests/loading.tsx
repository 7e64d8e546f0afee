import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <Skeleton className="mb-3 h-8 w-full max-w-2xl" />
        <Skeleton className="mb-3 h-40 w-full rounded-md" />
        <TableSkeleton rows={12} columns={6} />
      </Page>
    </DelayedSkeleton>
  );
}
