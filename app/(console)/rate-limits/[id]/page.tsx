import { leadToProject } from "@/components/object-page/project-list-page";
import type { PageQuery } from "@/components/ui/filters/time-range";
import { paths } from "@/lib/console/paths";
import { readRateLimitModel } from "@/lib/contract/ids";
import { decodeSegment } from "@/lib/contract/path-segment";

type OldRateLimitProps = { params: Promise<{ id: string }>; searchParams: Promise<PageQuery> };

/** The address before it named the project and the model. */
export default async function OldRateLimitAddress({ params, searchParams }: OldRateLimitProps) {
  const { id } = await params;
  const model = readRateLimitModel(decodeSegment(id) ?? id);
  return leadToProject((project) => paths.rateLimit(project, model), searchParams);
}
