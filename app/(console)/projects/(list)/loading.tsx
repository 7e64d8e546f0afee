import { ProjectListSkeleton } from "@/app/(console)/projects/project-skeletons";
import { Page } from "@/components/ui/page";
import { DelayedSkeleton } from "@/components/ui/states/delayed-skeleton";
import { PageHeadSkeleton } from "@/components/ui/states/skeleton";

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
