import { RoleSkeleton } from "@/app/(console)/roles/role-skeletons";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <RoleSkeleton />
    </DelayedSkeleton>
  );
}
