import { Section } from "../section";
import { type Snippet, SnippetTabs } from "./snippet-tabs";

/** The API call that does the same as submitting the form beside it. `label` names the tabs. */
export function ApiCallSection({ label, snippets }: { label: string; snippets: readonly Snippet[] }) {
  return (
    <Section title="API request" description="Follows the form as you type.">
      <SnippetTabs label={label} snippets={snippets} />
    </Section>
  );
}
