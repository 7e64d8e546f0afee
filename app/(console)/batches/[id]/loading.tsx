import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { BatchSkeleton } from "../batch-state";

export default function Loading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <BatchSkeleton />
    </Page>
  );
}
