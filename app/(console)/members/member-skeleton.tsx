import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/states/skeleton";

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
