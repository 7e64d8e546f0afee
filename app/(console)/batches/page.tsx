import { leadToProject } from "@/components/object-page/lead-to-project";
import type { PageQuery } from "@/components/ui/filters/find-in-address";
import { paths } from "@/lib/console/paths";

/** The address before it named the project. */
export default async function OldBatchesAddress({ searchParams }: { searchParams: Promise<PageQuery> }) {
  return leadToProject(paths.batches, searchParams);
}
