import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <RoutesSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}

function RoutesSkeleton() {
  return (
    <>
      <PageHeadSkeleton />
      <TableSkeleton rows={3} columns={5} />
      <div className="mt-8">
        <TableSkeleton rows={5} columns={3} />
      </div>
    </>
  );
}
