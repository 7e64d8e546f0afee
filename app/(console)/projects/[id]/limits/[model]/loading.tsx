import { RateLimitSkeleton } from "@/app/(console)/rate-limits/rate-limit-skeleton";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <RateLimitSkeleton />
    </DelayedSkeleton>
  );
}
