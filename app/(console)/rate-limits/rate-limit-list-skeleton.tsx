import { Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { Toolbar } from "@/components/ui/table/toolbar";

export function RateLimitListSkeleton() {
  return (
    <>
      <Toolbar actions={<Skeleton className="h-8 w-36" />}>
        <Skeleton className="h-8 w-full sm:w-64" />
      </Toolbar>
      <TableSkeleton rows={7} columns={8} />
    </>
  );
}
