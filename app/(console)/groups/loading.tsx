import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton, TableSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

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
