import { BookText } from "lucide-react";
import { DetailSkeleton } from "@/components/object-page/detail-state";
import { NoAnswer } from "@/components/object-page/no-answer";
import { NoProject } from "@/components/object-page/no-project";
import { ObjectPage, type ObjectPageProps } from "@/components/object-page/object-page";
import { SwitchProject } from "@/components/object-page/switch-project";
import { promptPageReads, runRead } from "@/components/prompts/prompt-reads";
import { Page } from "@/components/ui/page";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { paths } from "@/lib/console/paths";
import { PromptScreen } from "../prompt-screen";

export const metadata = { title: "Prompt" };

type PromptPageProps = Pick<ObjectPageProps, "params"> & {
  searchParams: Promise<{ tab?: string | string[]; run?: string | string[] }>;
};

export default function PromptPage({ params, searchParams }: PromptPageProps) {
  return (
    <ObjectPage params={params} unsupported={{ to: "show prompts" }}>
      {async ({ id: promptId, session }) => {
        const { tab, run } = await searchParams;
        const { currentProjectId, mayInProject } = session;
        if (session.isEveryProject) return { reads: [], screen: <PromptOfAnyProject promptId={promptId} /> };
        if (!currentProjectId) return { reads: [], screen: <NoPrompt /> };
        const runId = typeof run === "string" ? run : null;
        const shown = runId === null ? [] : [runRead(currentProjectId, promptId, runId)];
        return {
          reads: [...Object.values(promptPageReads(currentProjectId, promptId)), ...shown],
          screen: (
            <PromptScreen
              key={`${currentProjectId} ${promptId}`}
              projectId={currentProjectId}
              promptId={promptId}
              tab={tab === "cases" || tab === "runs" ? tab : "prompt"}
              runId={runId}
              canWrite={mayInProject("api.prompts.write")}
              canRun={mayInProject("api.playground.write")}
            />
          ),
        };
      }}
    </ObjectPage>
  );
}

function NoPrompt() {
  return (
    <Page>
      <NoProject>Every prompt belongs to a project, whose limits hold for its calls.</NoProject>
    </Page>
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
