import { BatchScreen } from "@/app/(console)/batches/batch-screen";
import { listParameters } from "@/components/filters/status-model-filter";
import { ProjectListPage } from "@/components/object-page/project-list-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { wholeList } from "@/components/queries/reads/whole-list";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";
import { batchStatuses } from "@/lib/contract/calls/task-statuses";

export const metadata = { title: "Batches" };

type BatchesPageProps = { params: Promise<{ id: string }>; searchParams: Promise<PageQuery> };

export default async function BatchesPage({ params, searchParams }: BatchesPageProps) {
  const query = await searchParams;
  return (
    <ProjectListPage
      params={params}
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
