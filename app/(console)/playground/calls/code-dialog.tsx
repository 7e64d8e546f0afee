"use client";

import { Dialog } from "@/components/ui/dialog";
import { SnippetTabs } from "@/components/ui/snippet-tabs";
import { callSnippets } from "@/lib/console/snippets/call-snippets";
import type { Message } from "../messages/message";
import { nextMessages, type Pane, settingsOf, type Workbench } from "../panes/pane";
import { callBody } from "./call-body";

type CodeDialogProps = {
  workbench: Workbench;
  paneId: string;
  /** Gateway address ending in `/v1`. */
  baseUrl: string;
  close: () => void;
};

/** Shows the pane's next call as code. */
export function CodeDialog({ workbench, paneId, baseUrl, close }: CodeDialogProps) {
  const pane = workbench.panes.find(({ id }) => id === paneId) ?? workbench.panes[0];
  if (!pane) return null;
  const settings = settingsOf(workbench, pane);
  const messages = messagesOf(pane, workbench.draft);
  const snippets = callSnippets({
    baseUrl,
    endpoint: settings.endpoint,
    chat: callBody(pane.model, { ...settings, endpoint: "chat_completions" }, messages),
    message: callBody(pane.model, { ...settings, endpoint: "messages" }, messages),
  });
  return (
    <Dialog
      open
      onClose={close}
      place="wide"
      title="Code"
      description={
        <>
          The call that <code className="font-mono">{pane.model}</code> gets, message and settings as they
          stand. Put a project's key into <code className="font-mono">GATEHOUSE_API_KEY</code>.
        </>
      }
    >
      <SnippetTabs label="Language" snippets={snippets} />
    </Dialog>
  );
}

/** Returns the next messages; if there are none, those of the last call; before the first call, a greeting. */
function messagesOf(pane: Pane, draft: string): readonly Message[] {
  const next = nextMessages(pane, draft);
  if (next) return next;
  const end = pane.messages.findLastIndex(({ role }) => role !== "assistant");
  if (end >= 0) return pane.messages.slice(0, end + 1);
  return [{ id: "draft", role: "user", text: "Hello" }];
}
