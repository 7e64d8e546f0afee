import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/session";
import { sessionData } from "../session-data";
import { CreateProject } from "./create-project";
import { ProjectList } from "./project-list";
import { projectReads } from "./reads-of-projects";

export const metadata = { title: "Projects" };

export default async function ProjectsPage() {
  await requireSession();
  const { offer, me, currentProjectId } = await sessionData();
  if (offer === "specification") {
    return (
      <Page>
        <UnsupportedState level={1} operation="list projects">
          It has no operation for them. A project’s id can still be typed where rate limits are set.
        </UnsupportedState>
      </Page>
    );
  }
  const canCreate = me?.permissions.includes("api.projects.write") ?? true;
  return (
    <Page>
      <PageHead
        title="Projects"
        sentence="A project has keys and rate limits of its own, and its name stands at every charge. All share one balance."
        action={canCreate && <CreateProject />}
      />
      <Prefetched reads={projectReads}>
        <ProjectList currentProjectId={currentProjectId} canCreate={canCreate} />
      </Prefetched>
    </Page>
  );
}
