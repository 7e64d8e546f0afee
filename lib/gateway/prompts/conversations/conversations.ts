import type { ConversationDraft } from "@/lib/contract/operations/playground/conversations";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { Clock } from "../../clock";
import { invalid, notFound, type Refusal } from "../../refusal";
import type { BackgroundAnswerStore } from "./background-answer-store.sql";
import type { Conversation, ConversationStore } from "./conversation-store.sql";

/** The most conversations that are kept for each owner. Those with the oldest changes are deleted first. */
export const MAX_CONVERSATIONS = 100;
/** Conversations are kept for so long after their last change. Prompt runs have the same retention. */
export const CONVERSATION_DAYS = 180;
/** Replies of calls that continued without their client are kept for so long. */
export const ANSWER_DAYS = 30;

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

function noSuchConversation(id: string): Refusal {
  return notFound("conversation", id, "conversation_id");
}

export interface ConversationContext extends ChangeContext {
  readonly conversations: ConversationStore;
  readonly backgroundAnswerStore: Pick<BackgroundAnswerStore, "deleteByConversation">;
  readonly runtime: { readonly clock: Clock };
}

const ID = /^conv_[0-9a-z]{8,40}$/;

/**
 * Saves a new conversation, or changes a saved one.
 * @throws Refusal 404 for another owner's id; 400 for an invalid id.
 */
export function saveConversation(
  context: ConversationContext,
  request: ChangeRequest,
  ownerId: string,
  id: string,
  { title, project_id: projectId, is_shared: isShared, content }: ConversationDraft,
): Promise<Conversation> {
  const { conversations, runtime } = context;
  if (!ID.test(id)) {
    throw invalid("conversation_id", "The id must be conv_ and 8 to 40 lowercase letters or digits.");
  }
  return change(context, request, async (transaction) => {
    const stored = await conversations.find(id);
    if (stored && stored.ownerId !== ownerId) throw noSuchConversation(id);
    const updatedAtMs = runtime.clock.nowMs();
    const conversation = {
      id,
      ownerId,
      projectId: projectId === undefined ? (stored?.projectId ?? null) : projectId,
      title,
      isShared: isShared ?? stored?.isShared ?? false,
      createdAtMs: stored?.createdAtMs ?? updatedAtMs,
      updatedAtMs,
      content: JSON.stringify(content),
    };
    await conversations.save(transaction, conversation);
    await conversations.keepNewest(transaction, conversation, MAX_CONVERSATIONS);
    return conversation;
  });
}

/**
 * Deletes a conversation with its stored answers, and stops its running calls. @throws Refusal 404 if the caller owns
 * no such conversation.
 */
export function deleteConversation(
  context: ConversationContext,
  request: ChangeRequest,
  ownerId: string,
  id: string,
): Promise<void> {
  const { conversations, backgroundAnswerStore } = context;
  return change(context, request, async (transaction) => {
    const stored = await conversations.find(id);
    if (stored?.ownerId !== ownerId) throw noSuchConversation(id);
    await conversations.delete(transaction, id);
    await backgroundAnswerStore.deleteByConversation(transaction, id);
  });
}
