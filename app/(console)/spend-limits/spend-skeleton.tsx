import { Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";

export function SpendSkeleton() {
  return (
    <div className="grid gap-10">
      <Skeleton className="h-36 w-full" />
      <TableSkeleton rows={3} columns={4} />
      <TableSkeleton rows={3} columns={5} />
    </div>
  );
}
