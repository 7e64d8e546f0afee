import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { GroupSkeleton } from "../group-skeleton";

export default function GroupLoading() {
  return (
    <DelayedSkeleton>
      <GroupSkeleton />
    </DelayedSkeleton>
  );
}
