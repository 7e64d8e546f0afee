import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { RateLimitSkeleton } from "../rate-limit-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <RateLimitSkeleton />
    </DelayedSkeleton>
  );
}
