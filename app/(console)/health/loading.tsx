import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <TableSkeleton rows={2} columns={4} />
        <div className="mt-10">
          <TableSkeleton rows={8} columns={6} />
        </div>
      </Page>
    </DelayedSkeleton>
  );
}
