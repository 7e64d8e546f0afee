import { leadToProject } from "@/components/object-page/project-list-page";
import type { PageQuery } from "@/components/ui/filters/time-range";
import { paths } from "@/lib/console/paths";

/** The address before it named the project. */
export default async function OldTasksAddress({ searchParams }: { searchParams: Promise<PageQuery> }) {
  return leadToProject(paths.tasks, searchParams);
}
