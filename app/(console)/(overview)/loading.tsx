import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export default function OverviewLoading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <div className="grid gap-8">
          <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
            {["balance", "spent", "requests", "refused"].map((figure) => (
              <Skeleton key={figure} className="h-44 w-full max-sm:h-30 rounded-md" />
            ))}
          </div>
          <div className="grid gap-8 xl:grid-cols-[2fr_1fr]">
            <Skeleton className="h-80 w-full rounded-md" />
            <Skeleton className="h-80 w-full rounded-md" />
          </div>
          <TableSkeleton rows={5} columns={5} />
        </div>
      </Page>
    </DelayedSkeleton>
  );
}
