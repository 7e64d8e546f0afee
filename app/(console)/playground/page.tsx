import { NoProject } from "@/components/object-page/no-project";
import { SwitchProject } from "@/components/object-page/switch-project";
import { parsePlaygroundParameters } from "@/components/playground/playground-parameters";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { wholeList } from "@/components/queries/reads/whole-list";
import { sessionData } from "@/components/queries/session/session-data";
import type { PageQuery } from "@/components/ui/filters/find-in-address";
import { Page } from "@/components/ui/page";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization, isKnownToHold } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { ListedPlayground } from "./listed-playground";
import { Playground } from "./playground";
import { PlaygroundSkeleton } from "./playground-skeleton";

export const metadata = { title: "Playground" };

type PlaygroundPageProps = { searchParams: Promise<PageQuery> };

export default async function PlaygroundPage({ searchParams }: PlaygroundPageProps) {
  await requireSession();
  const [session, given] = await Promise.all([sessionData(), searchParams]);
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
  const choices = await session.listChoices("api.playground.write");
  if (choices.some(({ id }) => id === given.project)) {
    return (
      <>
        <SwitchProject projectId={String(given.project)} />
        <PlaygroundSkeleton />
      </>
    );
  }
  if (session.hasNoProject || isEveryProject) {
    return (
      <Page>
        <NoProject level={1} choices={choices}>
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
