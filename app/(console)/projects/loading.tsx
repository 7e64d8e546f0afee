import { DelayedSkeleton } from "@/components/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/states/skeleton";
import { Page } from "@/components/ui/page";
import { ProjectListSkeleton } from "./project-list/project-list-skeleton";

export default function ProjectsLoading() {
  return (
    <DelayedSkeleton>
      <Page>
        <PageHeadSkeleton />
        <ProjectListSkeleton />
      </Page>
    </DelayedSkeleton>
  );
}
