import { BookText } from "lucide-react";
import { DetailSkeleton } from "@/app/object-page/detail-state";
import { NoAnswer } from "@/app/object-page/no-answer";
import { NoProject } from "@/app/object-page/no-project";
import { SwitchProject } from "@/app/object-page/switch-project";
import { promptPageReads, runRead } from "@/app/prompt-runs/prompt-reads";
import { Prefetched } from "@/app/queries/reads/prefetched";
import { sessionData } from "@/app/queries/session/session-data";
import { UnknownObject } from "@/components/states/unknown-object";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { paths } from "@/lib/console/paths";
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
  if (session.isEveryProject) return <PromptOfAnyProject promptId={promptId} />;
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
        key={`${currentProjectId} ${promptId}`}
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

/** Selects the project of a prompt while every project is selected. */
async function PromptOfAnyProject({ promptId }: { promptId: string }) {
  const found = await callGateway("searchObjects", { query: { text: promptId } });
  if (!found.ok) {
    return (
      <Page>
        <NoAnswer to="see this prompt" problem={found.problem} />
      </Page>
    );
  }
  const prompt = found.data.data.find(({ kind, id }) => kind === "prompt" && id === promptId);
  if (!prompt?.project)
    return <UnknownObject noun="prompt" id={promptId} icon={BookText} list={paths.prompts()} />;
  return (
    <Page>
      <SwitchProject projectId={prompt.project.id} />
      <DetailSkeleton />
    </Page>
  );
}
