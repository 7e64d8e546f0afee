import { Page } from "@/components/ui/page";
import { FormSkeleton, PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { Toolbar } from "@/components/ui/table/toolbar";

export function RoleSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <FormSkeleton fields={5} />
    </Page>
  );
}

export function RoleListSkeleton() {
  return (
    <>
      <Toolbar>
        <Skeleton className="h-8 w-full sm:w-64" />
      </Toolbar>
      <TableSkeleton rows={6} columns={4} />
    </>
  );
}
