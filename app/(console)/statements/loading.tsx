import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton, TableSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <TableSkeleton rows={6} columns={6} />
      </Page>
    </DelayedSkeleton>
  );
}
