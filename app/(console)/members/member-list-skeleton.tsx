import { Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { Toolbar } from "@/components/ui/table/toolbar";

export function MemberListSkeleton() {
  return (
    <>
      <Toolbar actions={<Skeleton className="h-8 w-32" />}>
        <Skeleton className="h-8 w-full sm:w-64" />
      </Toolbar>
      <TableSkeleton rows={6} columns={4} />
    </>
  );
}
