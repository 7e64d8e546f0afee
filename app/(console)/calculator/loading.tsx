import { Page } from "@/components/ui/page";
import { FormSkeleton, PageHeadSkeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <FormSkeleton />
    </Page>
  );
}
