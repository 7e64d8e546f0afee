import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { MemberSkeleton } from "../member-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <MemberSkeleton />
    </DelayedSkeleton>
  );
}
