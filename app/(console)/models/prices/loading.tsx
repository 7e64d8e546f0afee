import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { TableSkeleton } from "@/components/ui/states/skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <TableSkeleton rows={12} columns={6} />
    </DelayedSkeleton>
  );
}
