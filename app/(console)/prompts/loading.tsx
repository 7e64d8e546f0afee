import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <TableSkeleton rows={6} columns={4} />
    </Page>
  );
}
