import type { Attachment, Message } from "./message";

/** Whether a recording was too large to be saved with its conversation, so that only its name is left. */
export function isLostRecording({ kind, data }: Attachment): boolean {
  return kind === "audio" && data === "";
}

/** Why these messages can't be sent, as a sentence, if a recording of theirs is lost; otherwise null. */
export function findLostRecording(messages: readonly Pick<Message, "attachments">[]): string | null {
  const lost = messages.flatMap(({ attachments = [] }) => attachments).find(isLostRecording);
  if (!lost) return null;
  return `${lost.name} is no longer here: larger recordings are not kept with a conversation. Delete its message, or attach it again.`;
}
