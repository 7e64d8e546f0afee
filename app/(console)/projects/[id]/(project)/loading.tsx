import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { ProjectSkeleton } from "../../project-skeleton";

export default function ProjectLoading() {
  return (
    <DelayedSkeleton>
      <ProjectSkeleton />
    </DelayedSkeleton>
  );
}
