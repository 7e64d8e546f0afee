import { NoAnswer } from "@/app/object-page/no-answer";
import { NoProject } from "@/app/object-page/no-project";
import { OrganizationPage } from "@/app/object-page/organization-page";
import { keyReads, keyUsageRead } from "@/app/project-keys/key-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { sessionData } from "@/app/queries/session/session-data";
import { thirtyDaysBefore } from "@/app/usage-figures/compute-period-starts";
import { nowSeconds } from "@/components/time/server-clock";
import { PageHead } from "@/components/ui/page-head";
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
