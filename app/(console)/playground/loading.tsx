import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { PlaygroundSkeleton } from "./playground-skeleton";

export default function PlaygroundLoading() {
  return (
    <DelayedSkeleton>
      <PlaygroundSkeleton />
    </DelayedSkeleton>
  );
}
