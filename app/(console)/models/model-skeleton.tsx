import { FormSkeleton, PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

export function ModelSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <FormSkeleton fields={4} />
    </Page>
  );
}
