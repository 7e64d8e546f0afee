import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PlaygroundSkeleton } from "./playground-skeleton";

export default function PlaygroundLoading() {
  return (
    <DelayedSkeleton>
      <PlaygroundSkeleton />
    </DelayedSkeleton>
  );
}
