import { PromptListScreen } from "@/app/(console)/prompts/prompt-list-screen";
import { OneProjectPage } from "@/components/object-page/project-list-page";
import { promptListRead } from "@/components/prompts/prompt-reads";
import { Prefetched } from "@/components/queries/reads/prefetched";

export const metadata = { title: "Prompts" };

export default function PromptsPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <OneProjectPage
      params={params}
      title="Prompts"
      sentence="Prompts that are saved, versioned and compared over cases."
      to="list the prompts"
      without="Every prompt belongs to a project, whose limits hold for its calls."
      permission="api.prompts.read"
    >
      {({ project: { id } }) => (
        <Prefetched reads={[promptListRead(id)]}>
          <PromptListScreen key={id} projectId={id} />
        </Prefetched>
      )}
    </OneProjectPage>
  );
}
