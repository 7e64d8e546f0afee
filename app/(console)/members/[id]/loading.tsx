import { MemberSkeleton } from "@/app/(console)/members/member-skeletons";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <MemberSkeleton />
    </DelayedSkeleton>
  );
}
