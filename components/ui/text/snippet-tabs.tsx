import { Section } from "@/components/ui/section";
import { Tabs } from "@/components/ui/tabs";
import { CodeBlock } from "./code-block";

export type Snippet = { id: string; label: string; code: string };

/** Tabs with the same call for several clients: curl, openai, … */
export function SnippetTabs({ label, snippets }: { label: string; snippets: readonly Snippet[] }) {
  const tabs = snippets.map(({ id, label: name, code }) => ({
    id,
    label: name,
    content: <CodeBlock code={code} what={`${name} snippet`} />,
  }));
  return <Tabs label={label} tabs={tabs} />;
}

/** The API call that does the same as submitting the form beside it. `label` names the tabs. */
export function ApiCallSection({ label, snippets }: { label: string; snippets: readonly Snippet[] }) {
  return (
    <Section title="API request" description="Follows the form as you type.">
      <SnippetTabs label={label} snippets={snippets} />
    </Section>
  );
}
