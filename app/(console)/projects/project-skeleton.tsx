import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

export function ProjectSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <Skeleton className="mb-6 h-9 w-full" />
      <TableSkeleton rows={4} columns={4} />
    </Page>
  );
}
