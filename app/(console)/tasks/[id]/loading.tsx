import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <Skeleton className="mb-6 h-64 w-full" />
        <Skeleton className="h-32 w-full" />
      </Page>
    </DelayedSkeleton>
  );
}
