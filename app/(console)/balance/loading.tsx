import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <Skeleton className="mb-8 h-28 w-full rounded-md" />
        <div className="mb-8 grid gap-4 md:grid-cols-3">
          {["spent", "limit", "runway"].map((figure) => (
            <Skeleton key={figure} className="h-32 w-full rounded-md" />
          ))}
        </div>
        <TableSkeleton rows={10} columns={5} />
      </Page>
    </DelayedSkeleton>
  );
}
