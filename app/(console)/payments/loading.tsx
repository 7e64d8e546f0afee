import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <div className="grid gap-8">
          <Skeleton className="h-16 w-full" />
          <TableSkeleton rows={3} columns={5} />
        </div>
      </Page>
    </DelayedSkeleton>
  );
}
