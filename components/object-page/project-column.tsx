import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import type { Column } from "@/components/ui/table/column";

type Named = { id: string; name: string };

/** Names the project of each row, in a list of every project. `projects` are the active ones. */
export function projectColumn<Row extends { readonly project_id: string }>(
  projects: readonly Named[],
): Column<Row> {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return {
    id: "project",
    header: "Project",
    apiName: "project_id",
    cell: ({ project_id: id }) => (
      <span className="wrap-anywhere">{names.get(id) ?? <ArchivedName id={id} />}</span>
    ),
  };
}

/** The name of an archived project, which is read only if a row needs it; the id until then. */
function ArchivedName({ id }: { id: string }) {
  const all = useRead(...wholeList("listProjects", { include_archived: "true" }));
  return all.data?.data.find((project) => project.id === id)?.name ?? id;
}
