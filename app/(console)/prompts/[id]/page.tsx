import { BookText } from "lucide-react";
import { redirect } from "next/navigation";
import { NoAnswer } from "@/components/object-page/no-answer";
import { Page } from "@/components/ui/page";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { paths } from "@/lib/console/paths";
import { requireSession } from "@/lib/console/sign-in/session";
import { decodeSegment } from "@/lib/contract/path-segment";

export const metadata = { title: "Prompt" };

type OldPromptProps = {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ tab?: string | string[]; run?: string | string[] }>;
};

/** The address of a prompt before it named the project. */
export default async function OldPromptAddress({ params, searchParams }: OldPromptProps) {
  await requireSession();
  const [{ id: segment }, { tab, run }] = await Promise.all([params, searchParams]);
  const promptId = decodeSegment(segment) ?? segment;
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
  return redirect(
    paths.prompt(prompt.project.id, promptId, {
      ...(typeof tab === "string" && { tab }),
      ...(typeof run === "string" && { run }),
    }),
  );
}
