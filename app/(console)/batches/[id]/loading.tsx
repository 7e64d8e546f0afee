import { DetailSkeleton } from "@/app/object-page/detail-state";
import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <DetailSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
