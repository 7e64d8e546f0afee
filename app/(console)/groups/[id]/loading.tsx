import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { GroupSkeleton } from "../group-skeleton";

export default function GroupLoading() {
  return (
    <DelayedSkeleton>
      <GroupSkeleton />
    </DelayedSkeleton>
  );
}
