import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton } from "@/components/ui/states/skeleton";
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
