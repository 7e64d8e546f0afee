import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export function GroupSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <div className="grid gap-10">
        <TableSkeleton rows={3} columns={3} />
        <TableSkeleton rows={2} columns={2} />
      </div>
    </Page>
  );
}
