"use client";

import { useId, useState } from "react";
import { callBody, readMessagesEffort } from "@/components/playground/calls/call-body";
import { buildMediaCall } from "@/components/playground/media/media-call";
import type { Attachment, Message } from "@/components/playground/messages/message";
import type { Pane } from "@/components/playground/panes/pane";
import {
  defaultSettings,
  lackingSettings,
  parseFurtherParameters,
  type Settings,
} from "@/components/playground/settings";
import { fillWorkbench } from "@/components/playground/variables/fill-workbench";
import { findSettings, nextMessages, type Workbench } from "@/components/playground/workbench";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { SnippetTabs } from "@/components/ui/text/snippet-tabs";
import type { CallBodies, CallBody } from "@/lib/console/snippets/api-snippets";
import { callSnippets } from "@/lib/console/snippets/call-snippets";
import { mediaSnippets } from "@/lib/console/snippets/media-snippets";
import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

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

/**
 * Returns the next messages of a pane; if there are none, those of its last call; before the first call, a greeting.
 */
export function listMessagesForCode(
  workbench: Workbench,
  pane: Pane,
  attachments: readonly Attachment[],
): readonly Message[] {
  const next = nextMessages(workbench, pane, attachments);
  if (next) return next;
  const end = pane.messages.findLastIndex(({ role }) => role !== "assistant");
  if (end >= 0) return pane.messages.slice(0, end + 1);
  return [{ id: "draft", role: "user", text: "Hello" }];
}

/** The same call as a body of each endpoint, and the parameters that each body can't carry. */
export function listBodiesForCode(
  model: string,
  settings: Settings,
  messages: readonly Message[],
): CallBodies {
  const sent = omitUnsent(settings);
  const write = (endpoint: ChatEndpoint): CallBody => {
    const isOwn = endpoint === settings.endpoint;
    // A further parameter belongs to the endpoint that it was typed for.
    const further = isOwn ? settings.further : "";
    return {
      body: { ...callBody(model, { ...sent, endpoint, further }, messages) },
      lacks: isOwn ? [] : [...listLacking(sent, endpoint), ...Object.keys(parseFurtherParameters(settings))],
    };
  };
  return {
    chat_completions: write("chat_completions"),
    messages: write("messages"),
    responses: write("responses"),
  };
}

/** Leaves out what a call of the settings' endpoint doesn't send, though it may still be typed. */
function omitUnsent(settings: Settings): Settings {
  const unsent = lackingSettings[settings.endpoint].map((name) => [name, defaultSettings[name]]);
  const sent: Settings = { ...settings, ...Object.fromEntries(unsent) };
  if (settings.endpoint !== "messages") return sent;
  const format = settings.format === "schema" ? "schema" : "text";
  return { ...sent, reasoning_effort: readMessagesEffort(settings) ?? "", format };
}

/** Names what is set and has no field at an endpoint, as its own API calls it. */
function listLacking(settings: Settings, endpoint: ChatEndpoint): string[] {
  const { reasoning_effort: effort, format } = settings;
  const isMessage = endpoint === "messages";
  return [
    ...lackingSettings[endpoint]
      .filter((name) => settings[name].trim() !== "")
      .map((name) => (name === "reasoning_summary" ? "reasoning.summary" : name)),
    ...(isMessage && effort !== "" && readMessagesEffort(settings) === null ? ["reasoning_effort"] : []),
    ...(isMessage && format === "json" ? ["response_format"] : []),
  ];
}
