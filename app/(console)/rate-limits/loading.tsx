import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { RateLimitListSkeleton } from "./rate-limit-list-skeleton";

export default function Loading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <RateLimitListSkeleton />
    </Page>
  );
}
