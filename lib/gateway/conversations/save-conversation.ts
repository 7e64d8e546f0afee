import type { ConversationDraft } from "@/lib/contract/operations/conversations";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Clock } from "../effects";
import type { Conversation, ConversationStore } from "./conversation-store";
import { noSuchConversation } from "./find-conversation";

export interface ConversationContext extends ChangeContext {
  readonly conversations: ConversationStore;
  readonly effects: { readonly clock: Clock };
}

/** Of each owner; those that were changed longest ago go first. */
const MOST_KEPT = 100;

/** Keeps a conversation, or changes what is kept of it. @throws Refusal 404 where the id is somebody else's. */
export function saveConversation(
  context: ConversationContext,
  request: ChangeRequest,
  ownerId: string,
  id: string,
  { title, project_id: projectId, is_shared: isShared, content }: ConversationDraft,
): Promise<Conversation> {
  const { conversations, effects } = context;
  return change(context, request, async (transaction) => {
    const before = await conversations.find(id);
    if (before && before.ownerId !== ownerId) throw noSuchConversation(id);
    const updatedAtMs = effects.clock.nowMs();
    const conversation = {
      id,
      ownerId,
      projectId: projectId === undefined ? (before?.projectId ?? null) : projectId,
      title,
      isShared: isShared ?? before?.isShared ?? false,
      createdAtMs: before?.createdAtMs ?? updatedAtMs,
      updatedAtMs,
      content: JSON.stringify(content),
    };
    await conversations.save(transaction, conversation);
    await conversations.keepNewest(transaction, ownerId, MOST_KEPT);
    return conversation;
  });
}

/** @throws Refusal 404 where there is none of one's own. */
export function deleteConversation(
  context: ConversationContext,
  request: ChangeRequest,
  ownerId: string,
  id: string,
): Promise<void> {
  const { conversations } = context;
  return change(context, request, async (transaction) => {
    const before = await conversations.find(id);
    if (before?.ownerId !== ownerId) throw noSuchConversation(id);
    await conversations.delete(transaction, id);
  });
}
