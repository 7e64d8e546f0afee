import { ListedPlayground } from "@/app/(console)/playground/listed-playground";
import { Playground } from "@/app/(console)/playground/playground";
import { NoProject } from "@/components/object-page/no-project";
import { sessionOfProject, UnknownProject } from "@/components/object-page/project-list-page";
import { parsePlaygroundParameters } from "@/components/playground/playground-parameters";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { wholeList } from "@/components/queries/reads/whole-list";
import type { PageQuery } from "@/components/ui/filters/time-range";
import { Page } from "@/components/ui/page";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization, isKnownToHold } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";

export const metadata = { title: "Playground" };

type PlaygroundPageProps = { params: Promise<{ id: string }>; searchParams: Promise<PageQuery> };

export default async function PlaygroundPage({ params, searchParams }: PlaygroundPageProps) {
  await requireSession();
  const [session, given] = await Promise.all([sessionOfProject(params), searchParams]);
  const { me, support, currentProjectId, isEveryProject, mayInProject } = session;
  const { conversation } = given;
  const screen = {
    parameters: parsePlaygroundParameters(given),
    conversationId: typeof conversation === "string" ? conversation : undefined,
    storesConversations: support === "everything",
    projectId: currentProjectId,
    projectName: session.currentProjectName,
    baseUrl: environment().gateway.baseUrl,
    rights: {
      seesCharges: support === "everything",
      seesLedger: support === "everything" && holdsInOrganization(me, "api.ledger.read"),
      seesBalance: support === "everything" && isKnownToHold(me, "api.balance.read"),
      // Null if unknown.
      canPay: me && isKnownToHold(me, "api.payments.write"),
      seesLimits: mayInProject("api.rate_limits.read"),
      runsCases: support === "everything" && mayInProject("api.prompts.read"),
      savesPrompts: support === "everything" && mayInProject("api.prompts.write"),
      runsAsKeys:
        support === "everything" &&
        mayInProject("api.project_api_keys.write") &&
        mayInProject("api.project_api_keys.read"),
      previewsAsRoles: support === "everything" && isKnownToHold(me, "api.roles.read"),
    },
  };
  if (support === "specification") {
    return <Playground {...screen} models={null} projectId={null} />;
  }
  if (session.isUnknownProject) return <UnknownProject id={(await params).id} />;
  if (session.hasNoProject || isEveryProject) {
    return (
      <Page>
        <NoProject level={1} choices={await session.listChoices("api.playground.write")}>
          Every prompt counts for a project: the project’s limits apply, and the ledger names it.
        </NoProject>
      </Page>
    );
  }
  return (
    <Prefetched reads={[wholeList("listOrganizationModels")]}>
      <ListedPlayground {...screen} />
    </Prefetched>
  );
}
