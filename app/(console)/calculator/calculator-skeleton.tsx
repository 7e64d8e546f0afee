import { Card } from "@/components/ui/card";
import { FormSkeleton, TableSkeleton } from "@/components/ui/states/skeleton";

/** A placeholder with the width of the cards. */
export function CalculatorSkeleton() {
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[280px_minmax(0,1fr)] min-[90rem]:grid-cols-[340px_minmax(0,1fr)]">
      <Card>
        <FormSkeleton fields={4} />
      </Card>
      <TableSkeleton rows={4} columns={6} />
    </div>
  );
}
