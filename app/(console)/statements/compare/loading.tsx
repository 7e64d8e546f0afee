import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { StatementSkeleton } from "../statement-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <StatementSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
