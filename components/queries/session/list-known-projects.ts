import type { GatewayReply } from "@/lib/console/gateway/problem";
import type { Project } from "@/lib/contract/operations/projects/projects";

type ListedProjects = { readonly data: readonly Project[]; readonly has_more: boolean };

/**
 * Returns the active projects of the first page, and the chosen one although it isn't on that page, so that it stays
 * chosen where there are more projects. `retrieve` reads one project.
 */
export async function listKnownProjects(
  page: ListedProjects,
  chosenId: string | null,
  retrieve: (projectId: string) => Promise<GatewayReply<Project>>,
): Promise<{ id: string; name: string }[]> {
  const isElsewhere = chosenId !== null && page.has_more && page.data.every(({ id }) => id !== chosenId);
  const found = isElsewhere ? await retrieve(chosenId) : null;
  const known = found?.ok ? [...page.data, found.data] : page.data;
  return known.filter(({ status }) => status === "active").map(({ id, name }) => ({ id, name }));
}
