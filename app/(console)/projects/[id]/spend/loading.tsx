import { SpendSkeleton } from "@/app/(console)/spend-limits/spend-skeleton";
import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/ui/states/skeleton";

export default function ProjectSpendLoading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <SpendSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
