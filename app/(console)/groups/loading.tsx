import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/skeleton";

export default function GroupsLoading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <TableSkeleton rows={4} columns={4} />
    </Page>
  );
}
