import { NoAnswer } from "@/app/object-page/no-answer";
import { NoProject } from "@/app/object-page/no-project";
import { keyReads, keyUsageRead } from "@/app/project-keys/key-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { sessionData } from "@/app/queries/session/session-data";
import { thirtyDaysBefore } from "@/app/usage-figures/compute-period-starts";
import { readNowSeconds } from "@/components/filters/time-range";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { environment } from "@/lib/console/environment";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import { KeyScreen } from "./key-screen";

export const metadata = { title: "Keys" };

export default async function KeysPage() {
  await requireSession();
  return (
    <Page>
      <Keys />
    </Page>
  );
}

async function Keys() {
  const session = await sessionData();
  const { support, me, currentProjectId, mayInProject, problem } = session;
  if (support === "specification") {
    return (
      <UnsupportedState level={1} operation="list or create keys">
        It has no operation for them. Ask whoever runs it for a key.
      </UnsupportedState>
    );
  }
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
  const usageSince = mayInProject("api.usage.read") ? thirtyDaysBefore(readNowSeconds()) : null;
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
