import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { FormSkeleton, PageHeadSkeleton } from "@/components/ui/states/skeleton";

export default function ConfigurationLoading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <FormSkeleton fields={1} />
      </Page>
    </DelayedSkeleton>
  );
}
