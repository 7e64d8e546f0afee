import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";
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
