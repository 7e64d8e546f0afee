import { findTarget } from "@/app/(console)/rate-limits/find-target";
import { gridReads } from "@/app/(console)/rate-limits/grid/grid-reads";
import { LimitGridScreen } from "@/app/(console)/rate-limits/grid/limit-grid-screen";
import { NoTarget, TypedRateLimitScreen } from "@/app/(console)/rate-limits/typed-rate-limit-screen";
import { sessionOfProject, UnknownProject } from "@/components/object-page/project-list-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { Page, PageHead } from "@/components/ui/page";
import { environment } from "@/lib/console/environment";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { holdsInOrganization, holdsInProject } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";

export const metadata = { title: "Rate limits" };

const WRITE = "api.rate_limits.write";

/** The limits of the models in the project of the address, or in every one. */
export default async function RateLimitsPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const [target, { me }] = await Promise.all([findTarget(params), sessionOfProject(params)]);

  const { baseUrl } = environment().gateway;
  if (target.kind === "typed") return <TypedRateLimitScreen baseUrl={baseUrl} />;
  if (target.kind === "unknown") return <UnknownProject id={(await params).id} />;
  if (target.kind === "problem" || target.kind === "none") {
    return (
      <Page>
        <PageHead title="Rate limits" sentence="What each model lets through, project by project." />
        <NoTarget target={target} />
      </Page>
    );
  }
  const readsDefaults = me === null || holdsInOrganization(me, "api.rate_limits.read");
  // Where there is one project alone, its limits are shown with what it follows.
  const isEvery = (await params).id === EVERY_PROJECT && readsDefaults;
  const project = target.kind === "project" && !isEvery ? target.project : null;
  const inProjects = me?.project_permissions.map(({ project_id }) => project_id) ?? [];
  return (
    <Prefetched reads={Object.values(gridReads(project?.id, readsDefaults && project === null))}>
      <LimitGridScreen
        key={project?.id}
        baseUrl={baseUrl}
        project={project}
        owner={{ person: me?.user?.id ?? me?.name ?? "", organization: me?.organization.id ?? "" }}
        readsDefaults={readsDefaults}
        writable={
          me === null || holdsInOrganization(me, WRITE)
            ? null
            : inProjects.filter((id) => holdsInProject(me, id, WRITE))
        }
      />
    </Prefetched>
  );
}
