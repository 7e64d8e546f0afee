import { PageHeadSkeleton, TableSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

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
