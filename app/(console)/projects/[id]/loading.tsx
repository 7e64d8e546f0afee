import { ProjectSkeleton } from "../project-skeleton";

export default function ProjectLoading() {
  return <ProjectSkeleton />;
}
