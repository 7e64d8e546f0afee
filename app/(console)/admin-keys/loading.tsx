import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/skeleton";

export default function AdminKeysLoading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <TableSkeleton rows={4} columns={6} />
    </Page>
  );
}
