import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/ui/states/skeleton";
import { ModelListSkeleton } from "./model-skeletons";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <ModelListSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
