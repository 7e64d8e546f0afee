import { PromptScreen } from "@/app/(console)/prompts/prompt-screen";
import { NoProject } from "@/components/object-page/no-project";
import { UnsupportedPage } from "@/components/object-page/object-page";
import { sessionOfProject, UnknownProject } from "@/components/object-page/project-list-page";
import { promptPageReads, runRead } from "@/components/prompts/prompt-reads";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { Page } from "@/components/ui/page";
import { requireSession } from "@/lib/console/sign-in/session";
import { decodeSegment } from "@/lib/contract/path-segment";

export const metadata = { title: "Prompt" };

type PromptPageProps = {
  params: Promise<{ id: string; prompt: string }>;
  searchParams: Promise<{ tab?: string | string[]; run?: string | string[] }>;
};

export default async function PromptPage({ params, searchParams }: PromptPageProps) {
  await requireSession();
  const [{ id, prompt: segment }, { tab, run }, session] = await Promise.all([
    params,
    searchParams,
    sessionOfProject(params),
  ]);
  const { currentProjectId: projectId, mayInProject } = session;
  if (session.support === "specification") return <UnsupportedPage to="show prompts" />;
  if (session.isUnknownProject) return <UnknownProject id={id} />;
  if (!projectId) {
    return (
      <Page>
        <NoProject choices={await session.listChoices("api.prompts.read")}>
          Every prompt belongs to a project, whose limits hold for its calls.
        </NoProject>
      </Page>
    );
  }
  const promptId = decodeSegment(segment) ?? segment;
  const runId = typeof run === "string" ? run : null;
  const shown = runId === null ? [] : [runRead(projectId, promptId, runId)];
  return (
    <Prefetched reads={[...Object.values(promptPageReads(projectId, promptId)), ...shown]}>
      <PromptScreen
        key={promptId}
        projectId={projectId}
        promptId={promptId}
        tab={tab === "cases" || tab === "runs" ? tab : "prompt"}
        runId={runId}
        canWrite={mayInProject("api.prompts.write")}
        canRun={mayInProject("api.playground.write")}
      />
    </Prefetched>
  );
}
