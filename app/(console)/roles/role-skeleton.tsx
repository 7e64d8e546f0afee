import { FormSkeleton, PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

export function RoleSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <FormSkeleton fields={5} />
    </Page>
  );
}
