import { LoadingLabel, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";

/** Placeholder for a statement. */
export function StatementSkeleton() {
  return (
    <div className="grid max-w-3xl gap-8">
      <LoadingLabel />
      <Skeleton className="h-44 w-full rounded-md" />
      <TableSkeleton rows={4} columns={4} />
    </div>
  );
}
