import { RateLimitListSkeleton } from "@/app/(console)/rate-limits/rate-limit-list-skeleton";
import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/ui/states/skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <RateLimitListSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
