"use client";

import { ConnectClient } from "@/components/keys/connect-client";
import { findFirstCallable } from "@/components/models/list-models";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ShownOnce } from "@/components/ui/text/shown-once";
import { SnippetTabs } from "@/components/ui/text/snippet-tabs";
import { chatSnippets } from "@/lib/console/snippets/chat-snippets";

type CreatedKeyProps = {
  created: { readonly name: string; readonly value: string };
  baseUrl: string;
  close: () => void;
};

/** Shows the whole key once, with an example call. */
export function CreatedKey({ created, baseUrl, close }: CreatedKeyProps) {
  const models = useRead(...wholeList("listOrganizationModels"));
  const model = findFirstCallable(models.data?.data ?? [])?.id ?? "your-model";
  return (
    <ShownOnce
      position="wide"
      title={`Key “${created.name}” created`}
      description="Copy it now: it can’t be shown again."
      noun="key"
      text={created.value}
      loss="It can’t be shown again. If you lose it, you can only delete it."
      close={close}
    >
      <div className="grid gap-2">
        <h3 className="font-medium">A first call with it</h3>
        <SnippetTabs
          label="A first call"
          snippets={chatSnippets({ baseUrl, model, apiKey: created.value })}
        />
      </div>
      <details className="mt-4">
        <summary className="min-h-6 cursor-pointer font-medium pointer-coarse:min-h-11">
          Connect a client
        </summary>
        <div className="mt-3">
          <ConnectClient
            baseUrl={baseUrl}
            models={models.data?.data ?? []}
            modelId={model}
            apiKey={created.value}
          />
        </div>
      </details>
    </ShownOnce>
  );
}
