import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";
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
