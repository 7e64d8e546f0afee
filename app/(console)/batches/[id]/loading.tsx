import { DetailSkeleton } from "@/components/object-page/detail-state";
import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/ui/states/skeleton";

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
