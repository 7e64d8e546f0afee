"use client";

import { useEffect, useState } from "react";
import { useRead } from "@/app/queries/use-read";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { SnippetTabs } from "@/components/ui/snippet-tabs";
import { chatSnippets } from "@/lib/console/chat-snippets";
import type { CreatedProjectApiKey } from "@/lib/contract/operations/project-api-keys";
import { firstCallable } from "../callable-models";

type CreatedKeyProps = { created: CreatedProjectApiKey; baseUrl: string; close: () => void };

/** The whole key, this once, and a first call with it. Whoever closes it without a copy is asked. */
export function CreatedKey({ created, baseUrl, close }: CreatedKeyProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const models = useRead("listOrganizationModels", { limit: "1000" });
  const model = firstCallable(models.data?.data ?? [])?.id ?? "your-model";

  useEffect(() => {
    if (isCopied) return;
    const holdPage = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", holdPage);
    return () => window.removeEventListener("beforeunload", holdPage);
  }, [isCopied]);

  return (
    <Dialog
      open
      place="wide"
      onClose={() => (isCopied ? close() : setIsAsking(true))}
      title={`Key “${created.name}” created`}
      description="Copy it now: it can’t be shown again."
      footer={
        <Button variant={isCopied ? "primary" : "secondary"} onClick={close}>
          I have copied it
        </Button>
      }
    >
      <div className="grid gap-6">
        <div className="grid gap-2">
          <h3 className="font-medium">Key</h3>
          <div className="flex flex-wrap items-center gap-3 rounded-md border bg-background px-3 py-2.5">
            <code
              className="min-w-0 flex-1 basis-64 font-mono text-sm break-all"
              onCopy={() => setIsCopied(true)}
            >
              {created.value}
            </code>
            <CopyButton text={created.value} what="key" labelled onCopied={() => setIsCopied(true)} />
          </div>
        </div>
        <div className="grid gap-2">
          <h3 className="font-medium">A first call with it</h3>
          <SnippetTabs
            label="A first call"
            snippets={chatSnippets({ baseUrl, model, apiKey: created.value })}
          />
        </div>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={close}
        title="Close without having copied the key?"
        confirmLabel="Close"
      >
        It can’t be shown again. A key that nobody has can only be deleted.
      </ConfirmDialog>
    </Dialog>
  );
}
