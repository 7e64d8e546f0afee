import { FormSkeleton, TableSkeleton } from "@/components/states/skeleton";
import { Card } from "@/components/ui/card";

/** A placeholder with the width of the cards. */
export function CalculatorSkeleton() {
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[340px_minmax(0,1fr)]">
      <Card>
        <FormSkeleton fields={4} />
      </Card>
      <TableSkeleton rows={4} columns={6} />
    </div>
  );
}
