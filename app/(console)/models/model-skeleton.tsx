import { Page } from "@/components/ui/page";
import { FormSkeleton, PageHeadSkeleton } from "@/components/ui/states/skeleton";

export function ModelSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <FormSkeleton fields={4} />
    </Page>
  );
}
