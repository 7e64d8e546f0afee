import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { RoleSkeleton } from "../role-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <RoleSkeleton />
    </DelayedSkeleton>
  );
}
