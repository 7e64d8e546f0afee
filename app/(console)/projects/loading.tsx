import { DelayedSkeleton } from "@/components/ui/delayed-skeleton";
import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { ProjectListSkeleton } from "./project-list-skeleton";

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
