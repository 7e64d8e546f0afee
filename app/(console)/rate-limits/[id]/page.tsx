import { Folder } from "lucide-react";
import { SwitchProject } from "@/components/object-page/switch-project";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { limitReads } from "@/components/rate-limits/limit-reads";
import type { PageQuery } from "@/components/ui/filters/find-in-address";
import { Page } from "@/components/ui/page";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { environment } from "@/lib/console/environment";
import { paths } from "@/lib/console/paths";
import { requireSession } from "@/lib/console/sign-in/session";
import { decodeSegment } from "@/lib/contract/path-segment";
import { findTarget } from "../find-target";
import { NoTarget } from "../no-target";
import { RateLimitScreen } from "../rate-limit-screen";
import { RateLimitSkeleton } from "../rate-limit-skeleton";
import { TypedRateLimitScreen } from "../typed-rate-limit-screen";

export const metadata = { title: "Rate limit" };

type RateLimitPageProps = {
  params: Promise<{ id: string }>;
  searchParams: Promise<PageQuery>;
};

export default async function RateLimitPage({ params, searchParams }: RateLimitPageProps) {
  await requireSession();
  const segment = (await params).id;
  const rateLimitId = decodeSegment(segment) ?? segment;
  const { project: named } = await searchParams;
  const [{ mayInProject, listProjects }, target] = await Promise.all([sessionData(), findTarget()]);
  const { baseUrl } = environment().gateway;

  if (target.kind === "typed") return <TypedRateLimitScreen baseUrl={baseUrl} rateLimitId={rateLimitId} />;
  const project = target.kind === "project" ? target.project : null;
  const href = paths.rateLimit(rateLimitId);
  if (target.kind !== "problem" && typeof named === "string" && named !== project?.id) {
    const projects = await listProjects();
    if (!projects?.some(({ id }) => id === named))
      return <UnknownObject noun="project" id={named} icon={Folder} list={paths.projects()} />;
    return (
      <>
        <SwitchProject projectId={named} href={href} />
        <RateLimitSkeleton />
      </>
    );
  }
  if (target.kind !== "project") {
    return (
      <Page>
        <NoTarget target={target} />
      </Page>
    );
  }
  return (
    <Prefetched reads={Object.values(limitReads(target.project.id))}>
      {named !== undefined && <SwitchProject projectId={null} href={href} />}
      <RateLimitScreen
        key={target.project.id}
        project={target.project}
        rateLimitId={rateLimitId}
        baseUrl={baseUrl}
        canWrite={mayInProject("api.rate_limits.write")}
      />
    </Prefetched>
  );
}
