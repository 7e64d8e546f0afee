import { Tabs } from "../tabs";
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
