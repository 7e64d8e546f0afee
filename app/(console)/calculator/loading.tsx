import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/ui/states/skeleton";
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
