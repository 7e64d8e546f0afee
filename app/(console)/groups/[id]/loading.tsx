import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { GroupSkeleton } from "../group-skeleton";

export default function GroupLoading() {
  return (
    <DelayedSkeleton>
      <GroupSkeleton />
    </DelayedSkeleton>
  );
}
