import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { CalculatorSkeleton } from "./calculator-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <CalculatorSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
