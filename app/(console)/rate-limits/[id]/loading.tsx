import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { RateLimitSkeleton } from "../rate-limit-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <RateLimitSkeleton />
    </DelayedSkeleton>
  );
}
