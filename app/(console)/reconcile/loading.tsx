import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <Skeleton className="mb-8 h-24 w-full rounded-md" />
      <TableSkeleton rows={10} columns={3} />
    </Page>
  );
}
