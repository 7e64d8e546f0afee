import { callBody, readMessagesEffort } from "@/components/playground/calls/call-body";
import type { Attachment, Message } from "@/components/playground/messages/message";
import type { Pane } from "@/components/playground/panes/pane";
import {
  defaultSettings,
  lackingSettings,
  parseFurtherParameters,
  type Settings,
} from "@/components/playground/settings";
import { nextMessages, type Workbench } from "@/components/playground/workbench";
import type { CallBodies, CallBody } from "@/lib/console/snippets/api-snippets";
import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";

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
