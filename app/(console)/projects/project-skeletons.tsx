import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export function ProjectSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <Skeleton className="mb-6 h-9 w-full" />
      <TableSkeleton rows={4} columns={4} />
    </Page>
  );
}

export function ProjectListSkeleton() {
  return <TableSkeleton rows={4} columns={5} />;
}
