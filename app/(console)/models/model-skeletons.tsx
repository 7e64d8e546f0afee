import { Page } from "@/components/ui/page";
import { FormSkeleton, PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { Toolbar } from "@/components/ui/table/toolbar";
import { modelColumns } from "./model-columns";

export function ModelSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <FormSkeleton fields={4} />
    </Page>
  );
}

export function ModelListSkeleton() {
  return (
    <>
      <Toolbar actions={<Skeleton className="h-8 w-36" />}>
        <Skeleton className="h-8 w-full sm:w-64" />
      </Toolbar>
      <TableSkeleton rows={5} columns={modelColumns("").length} />
    </>
  );
}
