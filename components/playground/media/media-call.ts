import type { OtherFamily } from "@/lib/console/streaming/stream-media";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { Attachment, Message } from "../messages/message";
import { findOtherFamily, type MediaOptions, pickGivenOptions } from "./media-fields";

/** A call to a model that isn't a chat model, as programs make it. */
export interface PaneMediaCall {
  readonly family: OtherFamily;
  readonly body: Record<string, unknown>;
  readonly recording: Attachment | null;
  readonly translates: boolean;
}

const DEFAULT_VOICE = "alloy";

/** Returns the call for the last user message; null for a chat model. */
export function buildMediaCall(
  model: OrganizationModel | undefined,
  options: MediaOptions | undefined,
  messages: readonly Message[],
): PaneMediaCall | null {
  const family = findOtherFamily(model);
  if (!model || family === null) return null;
  const last = messages.findLast(({ role }) => role === "user");
  const text = last?.text ?? "";
  const given = pickGivenOptions(model, options);
  const body = { model: model.id, ...buildInput(family, text), ...given };
  const recording = last?.attachments?.find(({ kind }) => kind === "audio") ?? null;
  return { family, body, recording, translates: (options?.translate ?? "") !== "" };
}

/** The field that the message fills. */
function buildInput(family: OtherFamily, text: string): Record<string, unknown> {
  if (family === "image" || family === "video" || family === "music") return { prompt: text };
  if (family === "speech") return { input: text, voice: DEFAULT_VOICE };
  if (family === "transcription") return text.trim() === "" ? {} : { prompt: text };
  return { input: text };
}

/** Why a message can't go to a model of this family, as a sentence; null if it can. */
export function findMessageFault(
  family: OtherFamily,
  { text, attachments = [] }: Pick<Message, "text" | "attachments">,
): string | null {
  const recordings = attachments.filter(({ kind }) => kind === "audio");
  if (family === "transcription") {
    if (recordings.length === 1 && attachments.length === 1) return null;
    return recordings.length === 0
      ? "Attach the recording to transcribe."
      : "Attach one recording. Each call transcribes one.";
  }
  if (attachments.length > 0)
    return `Files can’t be sent to a model of the kind ${family}. Remove them, or close its pane.`;
  return text.trim() === "" ? "Write a message that describes what to create." : null;
}

/** The recording of a call as a file; undefined if there is none. */
export function toRecordingFile(recording: Attachment | null): File | undefined {
  if (!recording) return undefined;
  const bytes = Uint8Array.from(atob(recording.data), (sign) => sign.charCodeAt(0));
  return new File([bytes], recording.name, { type: recording.mimeType });
}
