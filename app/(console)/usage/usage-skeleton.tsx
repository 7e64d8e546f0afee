import { Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";

/** Placeholder for the figures, the chart and the groups. */
export function UsageSkeleton() {
  return (
    <div className="grid gap-4">
      <Skeleton className="h-21 w-full rounded-md max-sm:h-48" />
      <Skeleton className="h-88 w-full rounded-md" />
      <TableSkeleton rows={4} columns={6} />
    </div>
  );
}
