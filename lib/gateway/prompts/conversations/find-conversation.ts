import { notFound, type Refusal } from "../../refusal";
import type { Conversation, ConversationStore } from "./conversation-store";

/** The caller's own conversation, or a shared one. @throws Refusal 404 for any other, as if it didn't exist. */
export async function findConversation(
  conversations: Pick<ConversationStore, "find">,
  readerId: string,
  id: string,
): Promise<Conversation> {
  const conversation = await conversations.find(id);
  if (!conversation || (conversation.ownerId !== readerId && !conversation.isShared))
    throw noSuchConversation(id);
  return conversation;
}

export function noSuchConversation(id: string): Refusal {
  return notFound("conversation", id, "conversation_id");
}
