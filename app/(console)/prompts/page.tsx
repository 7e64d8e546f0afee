import { NoAnswer } from "@/components/object-page/no-answer";
import { NoProject } from "@/components/object-page/no-project";
import { promptListRead } from "@/components/prompts/prompt-reads";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/states/unsupported-state";
import { requireSession } from "@/lib/console/sign-in/session";
import { PromptListScreen } from "./prompt-list-screen";

export const metadata = { title: "Prompts" };

export default async function PromptsPage() {
  await requireSession();
  const { support, currentProjectId, listChoices, problem } = await sessionData();
  if (support === "specification" || !currentProjectId) {
    return (
      <Page>
        <PageHead title="Prompts" sentence="Prompts that are saved, versioned and compared over cases." />
        {support === "specification" ? (
          <UnsupportedState operation="list the prompts" />
        ) : problem ? (
          <NoAnswer to="list the prompts" problem={problem} />
        ) : (
          <NoProject choices={await listChoices("api.prompts.read")}>
            Every prompt belongs to a project, whose limits hold for its calls.
          </NoProject>
        )}
      </Page>
    );
  }
  return (
    <Page>
      <Prefetched reads={[promptListRead(currentProjectId)]}>
        <PromptListScreen key={currentProjectId} projectId={currentProjectId} />
      </Prefetched>
    </Page>
  );
}
