import { GridSkeleton } from "@/app/(console)/rate-limits/grid/grid-skeleton";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <GridSkeleton />
    </DelayedSkeleton>
  );
}
