import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { FormSkeleton, PageHeadSkeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export default function AccountLoading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <div className="grid gap-10">
          <FormSkeleton fields={3} />
          <TableSkeleton rows={2} columns={4} />
        </div>
      </Page>
    </DelayedSkeleton>
  );
}
