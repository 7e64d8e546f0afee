"use client";

import { useState } from "react";
import { useLinkedProject } from "@/components/shell/project/shell-projects";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Notice } from "@/components/ui/notice";
import { CodeBlock } from "@/components/ui/text/code-block";
import { paths } from "@/lib/console/paths";
import type { AutosavedWorkbench } from "./use-autosave";

type ShareDialogProps = { saved: AutosavedWorkbench; close: () => void };

/** Shares a conversation with others of the organization by link, or stops sharing it. */
export function ShareDialog({ saved: { conversation, autosave }, close }: ShareDialogProps) {
  const [state, setState] = useState<"idle" | "pending" | "failed">("idle");
  const { isShared, id } = conversation;
  const project = useLinkedProject();
  async function share(to: boolean) {
    setState("pending");
    setState((await autosave.share(to)) ? "idle" : "failed");
  }
  const isPending = state === "pending";
  return (
    <Dialog
      open
      onClose={close}
      title="Share this conversation"
      description="Members of this organization who can use the playground can read it with the link, including the message that you are writing. They can’t change it; if they continue it, they get their own copy."
      footer={
        isShared ? (
          <Button pending={isPending} onClick={() => void share(false)}>
            Stop sharing
          </Button>
        ) : (
          <Button variant="primary" pending={isPending} onClick={() => void share(true)}>
            Share by link
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        {isShared ? (
          <CodeBlock
            code={`${window.location.origin}${paths.playground(project, { conversation: id })}`}
            what="link"
            wrap
          />
        ) : (
          <p>Only you can read it now.</p>
        )}
        {state === "failed" && (
          <Notice tone="bad" role="alert" title="This was not saved">
            {conversation.state.kind === "failed"
              ? conversation.state.reason
              : "Another tab or session has changed the conversation. Close this dialog and choose which version to keep."}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
