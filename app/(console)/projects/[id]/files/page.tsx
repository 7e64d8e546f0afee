import { fileParameters } from "@/app/(console)/files/file-filter";
import { FileScreen } from "@/app/(console)/files/file-screen";
import { ProjectListPage } from "@/components/object-page/project-list-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { findInQuery, type PageQuery } from "@/components/ui/filters/time-range";

export const metadata = { title: "Files" };

type FilesPageProps = { params: Promise<{ id: string }>; searchParams: Promise<PageQuery> };

export default async function FilesPage({ params, searchParams }: FilesPageProps) {
  const query = await searchParams;
  return (
    <ProjectListPage
      params={params}
      title="Files"
      sentence="Files that programs uploaded, and the results of batches."
      to="list the files"
      endpoint="GET /files"
      without="Every file belongs to a project."
    >
      {({ project, viewer }) => {
        const parameters = fileParameters(project.id, findInQuery(query));
        return (
          <Prefetched reads={[{ pages: "listFiles", parameters }]}>
            <FileScreen key={project.id} project={project} viewer={viewer} />
          </Prefetched>
        );
      }}
    </ProjectListPage>
  );
}
