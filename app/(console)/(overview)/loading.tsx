import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/skeleton";

export default function OverviewLoading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <div className="grid gap-8">
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
          <Skeleton className="h-64 w-full" />
          <Skeleton className="h-64 w-full" />
        </div>
        <TableSkeleton rows={5} columns={5} />
      </div>
    </Page>
  );
}
