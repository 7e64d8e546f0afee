import { RateLimitSkeleton } from "../rate-limit-skeleton";

export default function Loading() {
  return <RateLimitSkeleton />;
}
