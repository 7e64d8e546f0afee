import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { CalculatorSkeleton } from "./calculator-skeleton";

export default function Loading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <CalculatorSkeleton />
    </Page>
  );
}
