import { redirect } from "next/navigation";
import { findTarget } from "@/app/(console)/rate-limits/find-target";
import { RateLimitScreen } from "@/app/(console)/rate-limits/rate-limit-screen";
import { NoTarget, TypedRateLimitScreen } from "@/app/(console)/rate-limits/typed-rate-limit-screen";
import { sessionOfProject, UnknownProject } from "@/components/object-page/project-list-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { limitReads } from "@/components/rate-limits/limit-usage";
import { Page } from "@/components/ui/page";
import { environment } from "@/lib/console/environment";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { paths } from "@/lib/console/paths";
import { requireSession } from "@/lib/console/sign-in/session";
import { rateLimitId } from "@/lib/contract/ids";
import { decodeSegment } from "@/lib/contract/path-segment";

export const metadata = { title: "Rate limit" };

type RateLimitPageProps = { params: Promise<{ id: string; model: string }> };

/** The limits of a model in the project of the address. */
export default async function RateLimitPage({ params }: RateLimitPageProps) {
  await requireSession();
  const [{ id, model: segment }, { mayInProject }, target] = await Promise.all([
    params,
    sessionOfProject(params),
    findTarget(params),
  ]);
  const model = decodeSegment(segment) ?? segment;
  const { baseUrl } = environment().gateway;
  if (target.kind === "typed")
    return <TypedRateLimitScreen baseUrl={baseUrl} rateLimitId={rateLimitId(model)} />;
  if (target.kind === "unknown") return <UnknownProject id={id} />;
  if (target.kind === "every") redirect(paths.rateLimits(EVERY_PROJECT, { group: "model", q: model }));
  if (target.kind !== "project") {
    return (
      <Page>
        <NoTarget target={target} />
      </Page>
    );
  }
  const { project } = target;
  return (
    <Prefetched reads={Object.values(limitReads(project.id))}>
      <RateLimitScreen
        key={`${project.id} ${model}`}
        project={project}
        rateLimitId={model}
        baseUrl={baseUrl}
        canWrite={mayInProject("api.rate_limits.write")}
      />
    </Prefetched>
  );
}
