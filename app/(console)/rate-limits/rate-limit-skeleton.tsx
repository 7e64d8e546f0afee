import { Page } from "@/components/ui/page";
import { FormSkeleton, PageHeadSkeleton } from "@/components/ui/states/skeleton";

export function RateLimitSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <FormSkeleton fields={6} />
    </Page>
  );
}
