import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton, Skeleton } from "@/components/ui/skeleton";

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
