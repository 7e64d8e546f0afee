import { NoProject } from "@/app/object-page/no-project";
import { promptPageReads, runRead } from "@/app/prompt-runs/prompt-reads";
import { Prefetched } from "@/app/queries/prefetched";
import { sessionData } from "@/app/queries/session-data";
import { Page } from "@/components/ui/page";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { requireSession } from "@/lib/console/sign-in/session";
import { PromptScreen } from "../prompt-screen";

export const metadata = { title: "Prompt" };

type PromptPageProps = {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ tab?: string | string[]; run?: string | string[] }>;
};

export default async function PromptPage({ params, searchParams }: PromptPageProps) {
  await requireSession();
  const [{ id }, { tab, run }, session] = await Promise.all([params, searchParams, sessionData()]);
  const { support, currentProjectId, mayInProject } = session;
  const promptId = decodeURIComponent(id);
  if (support === "specification") {
    return (
      <Page>
        <UnsupportedState level={1} operation="show prompts" />
      </Page>
    );
  }
  if (!currentProjectId) {
    return (
      <Page>
        <NoProject>Every prompt belongs to a project, whose limits hold for its calls.</NoProject>
      </Page>
    );
  }
  const runId = typeof run === "string" ? run : null;
  const shown = runId === null ? [] : [runRead(currentProjectId, promptId, runId)];
  return (
    <Prefetched reads={[...Object.values(promptPageReads(currentProjectId, promptId)), ...shown]}>
      <PromptScreen
        key={promptId}
        projectId={currentProjectId}
        promptId={promptId}
        tab={tab === "cases" || tab === "runs" ? tab : "prompt"}
        runId={runId}
        canWrite={mayInProject("api.prompts.write")}
        canRun={mayInProject("api.playground.write")}
      />
    </Prefetched>
  );
}
