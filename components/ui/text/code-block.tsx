import { Section } from "@/components/ui/page";
import { Tabs } from "@/components/ui/tabs";
import { CopyButton } from "./copy-button";
import { TextPieces } from "./text-pieces";

/** Code with a copy button. Long lines scroll; with `wrap` they break, as for a key. */
export function CodeBlock({
  code,
  what = "code",
  wrap = false,
  copied = code,
}: {
  code: string;
  what?: string;
  wrap?: boolean;
  /** The text to copy, if it differs from the code shown. */
  copied?: string;
}) {
  return (
    <div className="flex items-start rounded-md border bg-background">
      <pre
        // A scrolling box must be reachable by keyboard.
        tabIndex={wrap ? undefined : 0}
        className={`min-w-0 flex-1 overflow-x-auto rounded-md px-3 py-2.5 font-mono text-sm ${wrap ? "break-all whitespace-pre-wrap" : ""}`}
      >
        <code>
          <TextPieces text={code} />
        </code>
      </pre>
      <CopyButton text={copied} what={what} className="p-1.5" />
    </div>
  );
}

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
