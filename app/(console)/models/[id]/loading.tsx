import { ModelSkeleton } from "@/app/(console)/models/model-skeletons";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";

export default function Loading() {
  return (
    <DelayedSkeleton>
      <ModelSkeleton />
    </DelayedSkeleton>
  );
}
