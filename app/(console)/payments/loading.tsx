import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";

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
