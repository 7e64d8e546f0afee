import { SpendSkeleton } from "@/app/spend-controls/spend-skeleton";
import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

export default function SpendLimitsLoading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <SpendSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
