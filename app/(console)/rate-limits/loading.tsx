import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { RateLimitListSkeleton } from "./rate-limit-list-skeleton";

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
