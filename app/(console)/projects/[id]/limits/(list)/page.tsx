import { findTarget } from "@/app/(console)/rate-limits/find-target";
import { NoTarget } from "@/app/(console)/rate-limits/no-target";
import { RateLimitList } from "@/app/(console)/rate-limits/rate-limit-list";
import { TypedRateLimitScreen } from "@/app/(console)/rate-limits/typed-rate-limit-screen";
import { UnknownProject } from "@/components/object-page/project-list-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { limitReads } from "@/components/rate-limits/limit-reads";
import { GuideLink } from "@/components/ui/links/guide-link";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { ProjectName } from "@/components/ui/text/project-name";
import { environment } from "@/lib/console/environment";
import { requireSession } from "@/lib/console/sign-in/session";

export const metadata = { title: "Rate limits" };

export default async function RateLimitsPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const target = await findTarget(params);
  const { baseUrl } = environment().gateway;

  if (target.kind === "typed") return <TypedRateLimitScreen baseUrl={baseUrl} />;
  if (target.kind === "unknown") return <UnknownProject id={(await params).id} />;
  if (target.kind !== "project") {
    return (
      <Page>
        <PageHead title="Rate limits" sentence="What each model lets through, project by project." />
        <NoTarget target={target} />
      </Page>
    );
  }
  const { project } = target;
  return (
    <Page>
      <PageHead
        title="Rate limits"
        sentence={
          <>
            What each model lets through in project <ProjectName project={project} />. Windows are rolling; a
            change takes effect with the next call. <GuideLink page="limits">Limits, explained</GuideLink>
          </>
        }
      />
      <Prefetched reads={Object.values(limitReads(project.id))}>
        <RateLimitList key={project.id} project={project} baseUrl={baseUrl} />
      </Prefetched>
    </Page>
  );
}
