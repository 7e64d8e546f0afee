import { DetailSkeleton } from "@/app/object-page/detail-state";
import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

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
