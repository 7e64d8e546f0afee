import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { DetailSkeleton } from "../../detail-state";

export default function Loading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <DetailSkeleton />
    </Page>
  );
}
