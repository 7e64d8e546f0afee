import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <Skeleton className="mb-8 h-24 w-full rounded-md" />
        <TableSkeleton rows={10} columns={3} />
      </Page>
    </DelayedSkeleton>
  );
}
