import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, Skeleton } from "@/components/ui/skeleton";

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
