import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { environment } from "@/lib/console/environment";
import { requireSession } from "@/lib/console/session";
import { NoProject } from "../no-project";
import { sessionData } from "../session-data";
import { CreateKey } from "./create-key";
import { KeyList } from "./key-list";
import { NoAnswer } from "./no-answer";
import { keyReads } from "./reads-of-keys";

export const metadata = { title: "Keys" };

export default async function KeysPage() {
  await requireSession();
  const { offer, me, projects, currentProjectId, problem } = await sessionData();
  const canWrite = me?.permissions.includes("api.project_api_keys.write") ?? true;
  const project = projects?.find(({ id }) => id === currentProjectId);
  const projectId = currentProjectId;
  const screen = { projectId: projectId ?? "", baseUrl: environment().gateway.baseUrl };
  if (offer === "specification") {
    return (
      <Page>
        <UnsupportedState level={1} operation="list or create keys">
          It has no operation for them. Ask whoever runs it for a key.
        </UnsupportedState>
      </Page>
    );
  }
  return (
    <Page>
      <PageHead
        title="Keys"
        sentence={
          project ? (
            <>
              With a key of project <strong className="font-medium text-foreground">{project.name}</strong> a
              program calls models, under the project’s limits.
            </>
          ) : (
            "With a project’s key a program calls models, under the project’s limits."
          )
        }
        action={projectId && canWrite && <CreateKey {...screen} />}
      />
      {projectId ? (
        <Prefetched reads={keyReads(projectId)}>
          <KeyList key={projectId} {...screen} canWrite={canWrite} />
        </Prefetched>
      ) : problem ? (
        <NoAnswer problem={problem} />
      ) : (
        <NoProject>Every key belongs to a project, whose limits hold for it. Create one first.</NoProject>
      )}
    </Page>
  );
}
