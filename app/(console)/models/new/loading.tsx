import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { ModelSkeleton } from "../model-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <ModelSkeleton />
    </DelayedSkeleton>
  );
}
