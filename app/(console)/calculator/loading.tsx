import { Card } from "@/components/ui/card";
import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { FormSkeleton, PageHeadSkeleton, TableSkeleton } from "@/components/ui/states/skeleton";

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

/** A placeholder with the width of the cards. */
function CalculatorSkeleton() {
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[280px_minmax(0,1fr)] min-[90rem]:grid-cols-[340px_minmax(0,1fr)]">
      <Card>
        <FormSkeleton fields={4} />
      </Card>
      <TableSkeleton rows={4} columns={6} />
    </div>
  );
}
