import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";
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
