import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { Toolbar } from "@/components/ui/table/toolbar";

export function MemberSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <div className="grid max-w-[720px] gap-10">
        <TableSkeleton rows={2} columns={2} />
        <TableSkeleton rows={3} columns={2} />
      </div>
    </Page>
  );
}

export function MemberListSkeleton() {
  return (
    <>
      <Toolbar actions={<Skeleton className="h-8 w-32" />}>
        <Skeleton className="h-8 w-full sm:w-64" />
      </Toolbar>
      <TableSkeleton rows={6} columns={4} />
    </>
  );
}
