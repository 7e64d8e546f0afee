import { Section } from "@/components/ui/section";
import { type Snippet, SnippetTabs } from "@/components/ui/snippet-tabs";

/** The call that does what the form beside it would do now. */
export function ModelApiCall({ snippets }: { snippets: readonly Snippet[] }) {
  return (
    <Section title="The same by API" description="Follows the form as you type.">
      <SnippetTabs label="Model by API" snippets={snippets} />
    </Section>
  );
}
