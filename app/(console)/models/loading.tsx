import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { ModelListSkeleton } from "./model-list-skeleton";

export default function Loading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <ModelListSkeleton />
    </Page>
  );
}
