"use client";

import { useId, useState } from "react";
import { buildMediaCall } from "@/components/playground/media/media-call";
import type { Attachment } from "@/components/playground/messages/message";
import { fillWorkbench } from "@/components/playground/variables/fill-workbench";
import { findSettings, type Workbench } from "@/components/playground/workbench";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { SnippetTabs } from "@/components/ui/text/snippet-tabs";
import { callSnippets } from "@/lib/console/snippets/call-snippets";
import { mediaSnippets } from "@/lib/console/snippets/media-snippets";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { listBodiesForCode, listMessagesForCode } from "./list-bodies-for-code";

type CodeDialogProps = {
  workbench: Workbench;
  models: readonly OrganizationModel[] | null;
  paneId: string;
  /** The files of the message being written. */
  attachments: readonly Attachment[];
  /** Gateway address ending in `/v1`. */
  baseUrl: string;
  close: () => void;
};

/** Shows the pane's next call as code. */
export function CodeDialog({ workbench: written, models, paneId, attachments, ...dialog }: CodeDialogProps) {
  const { baseUrl, close } = dialog;
  const [streams, setStreams] = useState(false);
  const choiceId = useId();
  const workbench = fillWorkbench(written) ?? written;
  const pane = workbench.panes.find(({ id }) => id === paneId) ?? workbench.panes[0];
  if (!pane) return null;
  const settings = findSettings(workbench, pane);
  const model = models?.find(({ id }) => id === pane.model);
  const messages = listMessagesForCode(workbench, pane, attachments);
  const media = buildMediaCall(model, pane.options, messages);
  const snippets = media
    ? mediaSnippets({ baseUrl, ...media })
    : callSnippets({
        baseUrl,
        endpoint: settings.endpoint,
        streams,
        bodies: listBodiesForCode(pane.model, settings, messages),
      });
  return (
    <Dialog
      open
      onClose={close}
      position="wide"
      title="Code"
      description={
        <>
          The call that <code className="font-mono">{pane.model}</code> gets, message and settings as they
          stand. Put a project’s key into <code className="font-mono">GATEHOUSE_API_KEY</code>.
        </>
      }
    >
      <div className="grid gap-3">
        {!media && (
          <span className="flex items-center gap-2 text-sm">
            <Checkbox
              id={choiceId}
              checked={streams}
              onChange={(event) => setStreams(event.target.checked)}
            />
            <label htmlFor={choiceId}>Stream the answer</label>
          </span>
        )}
        <SnippetTabs label="Language" snippets={snippets} />
      </div>
    </Dialog>
  );
}
