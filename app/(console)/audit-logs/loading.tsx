import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <div className="mb-6 flex h-9 items-center gap-5 border-b">
          <Skeleton className="h-4 w-16" />
          <Skeleton className="h-4 w-24" />
        </div>
        <Skeleton className="mb-3 h-5 w-64" />
        <Skeleton className="mb-3 h-8 w-full max-w-2xl" />
        <TableSkeleton rows={12} columns={5} />
      </Page>
    </DelayedSkeleton>
  );
}
