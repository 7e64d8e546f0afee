import { keyReads, keyUsageRead } from "@/components/keys/key-reads";
import { NoAnswer } from "@/components/object-page/no-answer";
import { NoProject } from "@/components/object-page/no-project";
import { OrganizationPage } from "@/components/object-page/organization-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { PageHead } from "@/components/ui/page-head";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { thirtyDaysBefore } from "@/components/usage/compute-period-starts";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { KeyScreen } from "./key-screen";

export const metadata = { title: "Keys" };

export default function KeysPage() {
  return (
    <OrganizationPage
      to="list or create keys"
      instead="It has no operation for them. Ask whoever runs it for a key."
    >
      {() => <Keys />}
    </OrganizationPage>
  );
}

async function Keys() {
  const session = await sessionData();
  const { me, currentProjectId, mayInProject, problem } = session;
  if (!currentProjectId) {
    return (
      <>
        <PageHead
          title="Keys"
          sentence="Programs call models with a project’s key, within the project’s limits."
        />
        {problem ? (
          <NoAnswer to="list the keys" problem={problem} />
        ) : (
          <NoProject choices={await session.listChoices("api.project_api_keys.read")}>
            Every key belongs to a project, whose limits hold for it.
          </NoProject>
        )}
      </>
    );
  }
  const name = session.currentProjectName ?? currentProjectId;
  const usageSince = mayInProject("api.usage.read") ? thirtyDaysBefore(nowSeconds()) : null;
  const usage = usageSince === null ? [] : [keyUsageRead(currentProjectId, usageSince)];
  return (
    <Prefetched reads={[...Object.values(keyReads(currentProjectId)), ...usage]}>
      <KeyScreen
        key={currentProjectId}
        project={{ id: currentProjectId, name }}
        baseUrl={environment().gateway.baseUrl}
        canWrite={mayInProject("api.project_api_keys.write")}
        usageSince={usageSince}
        canFind={holdsInOrganization(me, "api.project_api_keys.read")}
      />
    </Prefetched>
  );
}
