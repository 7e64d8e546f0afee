import { Page } from "@/components/ui/page";
import { FormSkeleton, PageHeadSkeleton } from "@/components/ui/states/skeleton";

export function RoleSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <FormSkeleton fields={5} />
    </Page>
  );
}
