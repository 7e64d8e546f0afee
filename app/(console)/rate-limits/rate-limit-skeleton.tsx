import { FormSkeleton, PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";

export function RateLimitSkeleton() {
  return (
    <Page>
      <PageHeadSkeleton />
      <FormSkeleton fields={6} />
    </Page>
  );
}
