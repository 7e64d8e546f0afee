import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";
import { UsageSkeleton } from "./usage-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <Skeleton className="mb-4 h-8 w-full max-w-2xl" />
        <UsageSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
