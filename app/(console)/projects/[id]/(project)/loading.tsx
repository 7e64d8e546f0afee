import { ProjectSkeleton } from "@/app/(console)/projects/project-skeletons";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";

export default function ProjectLoading() {
  return (
    <DelayedSkeleton>
      <ProjectSkeleton />
    </DelayedSkeleton>
  );
}
