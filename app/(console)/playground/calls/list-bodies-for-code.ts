import { readMessagesEffort } from "@/components/playground/calls/build-messages-body";
import { callBody } from "@/components/playground/calls/call-body";
import type { Attachment, Message } from "@/components/playground/messages/message";
import type { Pane } from "@/components/playground/panes/pane";
import { parseFurtherParameters, type Settings } from "@/components/playground/settings";
import { nextMessages, type Workbench } from "@/components/playground/workbench";

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
export function listBodiesForCode(model: string, settings: Settings, messages: readonly Message[]) {
  const isMessage = settings.endpoint === "messages";
  const further = Object.keys(parseFurtherParameters(settings));
  const chat: Settings = isMessage ? omitChatOnly(settings) : settings;
  // A further parameter belongs to the endpoint that it was typed for.
  const message: Settings = isMessage ? settings : { ...settings, further: "" };
  return {
    chat: callBody(model, { ...chat, endpoint: "chat_completions" }, messages),
    message: callBody(model, { ...message, endpoint: "messages" }, messages),
    chatLacks: isMessage ? further : [],
    messageLacks: isMessage ? [] : [...lackingInMessages(settings), ...further],
  };
}

/** Leaves out what a call of the Messages API doesn't send, though it may still be typed. */
function omitChatOnly(settings: Settings): Settings {
  return {
    ...settings,
    seed: "",
    presence_penalty: "",
    frequency_penalty: "",
    reasoning_effort: readMessagesEffort(settings) ?? "",
    format: settings.format === "schema" ? "schema" : "text",
    further: "",
  };
}

function lackingInMessages(settings: Settings): string[] {
  const { reasoning_effort: effort, format } = settings;
  return [
    ...(["seed", "presence_penalty", "frequency_penalty"] as const).filter((name) => settings[name].trim()),
    ...(effort !== "" && readMessagesEffort(settings) === null ? ["reasoning_effort"] : []),
    ...(format === "json" ? ["response_format"] : []),
  ];
}
