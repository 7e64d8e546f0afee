import { listParameters } from "@/components/filters/status-model-filter";
import { ProjectListPage } from "@/components/object-page/project-list-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { wholeList } from "@/components/queries/reads/whole-list";
import { findInQuery, type PageQuery } from "@/components/ui/filters/find-in-address";
import { batchStatuses } from "@/lib/contract/calls/batch-statuses";
import { BatchScreen } from "./batch-screen";

export const metadata = { title: "Batches" };

type BatchesPageProps = { searchParams: Promise<PageQuery> };

export default async function BatchesPage({ searchParams }: BatchesPageProps) {
  const query = await searchParams;
  return (
    <ProjectListPage
      title="Batches"
      sentence="Files of calls that are answered in the background."
      to="list the batches"
      endpoint="GET /batches"
      without="Each batch belongs to a project, whose limits apply to it."
    >
      {({ project, viewer }) => {
        const parameters = listParameters(project.id, batchStatuses, findInQuery(query));
        return (
          <Prefetched reads={[{ pages: "listBatches", parameters }, wholeList("listOrganizationModels")]}>
            <BatchScreen key={project.id} project={project} viewer={viewer} />
          </Prefetched>
        );
      }}
    </ProjectListPage>
  );
}
