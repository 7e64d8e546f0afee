import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/states/skeleton";
import { CopyButton } from "@/components/ui/text/copy-button";
import { SnippetTabs } from "@/components/ui/text/snippet-tabs";
import { chatSnippets } from "@/lib/console/snippets/chat-snippets";

type BaseAddressProps = {
  /** The gateway's address, ending in `/v1`. */
  baseUrl: string;
  /** The id of the example's model; undefined while it is read, null if there is none or it can't be read. */
  model: string | null | undefined;
};

/** The address for programs, and an example call. */
export function BaseAddress({ baseUrl, model }: BaseAddressProps) {
  return (
    <Card className="grid content-start gap-4">
      <dl>
        <dt className="text-sm text-muted">Base address</dt>
        <dd className="mt-1 flex items-center gap-1">
          <code className="min-w-0 font-mono text-lg break-all">{baseUrl}</code>
          <CopyButton text={baseUrl} what="base address" />
        </dd>
      </dl>
      {model === undefined ? (
        <Skeleton className="h-64" />
      ) : (
        <SnippetTabs
          label="A first call"
          snippets={chatSnippets({ baseUrl, model: model ?? "your-model" })}
        />
      )}
    </Card>
  );
}
