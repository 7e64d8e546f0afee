import { Page } from "@/components/ui/page";
import { PageHeadSkeleton } from "@/components/ui/skeleton";
import { ProjectListSkeleton } from "./project-list-skeleton";

export default function ProjectsLoading() {
  return (
    <Page>
      <PageHeadSkeleton />
      <ProjectListSkeleton />
    </Page>
  );
}
