import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
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
