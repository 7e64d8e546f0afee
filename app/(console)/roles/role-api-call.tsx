import { type Snippet, SnippetTabs } from "@/components/text/snippet-tabs";
import { Section } from "@/components/ui/section";

/** Shows the API call equivalent to submitting the form. */
export function RoleApiCall({ snippets }: { snippets: readonly Snippet[] }) {
  return (
    <Section title="API request" description="Follows the form as you type.">
      <SnippetTabs label="Role by API" snippets={snippets} />
    </Section>
  );
}
