import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { StatementSkeleton } from "../statement-skeleton";

export default function Loading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <StatementSkeleton />
    </Page>
  );
}
