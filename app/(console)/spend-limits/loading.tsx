import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { SpendSkeleton } from "./spend-skeleton";

export default function SpendLimitsLoading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <SpendSkeleton />
    </Page>
  );
}
