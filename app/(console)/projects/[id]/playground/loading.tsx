import { PlaygroundSkeleton } from "@/app/(console)/playground/playground-skeleton";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";

export default function PlaygroundLoading() {
  return (
    <DelayedSkeleton>
      <PlaygroundSkeleton />
    </DelayedSkeleton>
  );
}
