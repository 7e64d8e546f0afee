import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/ui/states/skeleton";
import { SpendSkeleton } from "./spend-skeleton";

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
