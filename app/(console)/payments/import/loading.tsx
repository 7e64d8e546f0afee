import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton, Skeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <Skeleton className="h-44 w-full max-w-3xl" />
      </Page>
    </DelayedSkeleton>
  );
}
