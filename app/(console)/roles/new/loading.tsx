import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { RoleSkeleton } from "../role-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <RoleSkeleton />
    </DelayedSkeleton>
  );
}
