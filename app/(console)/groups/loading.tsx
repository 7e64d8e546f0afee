import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/skeleton";

export default function GroupsLoading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <TableSkeleton rows={4} columns={4} />
      </Page>
    </DelayedSkeleton>
  );
}
