import type {
  Conversation as ConversationReply,
  ConversationHead as HeadReply,
} from "@/lib/contract/operations/playground/conversations";
import type { Caller } from "../../access/caller";
import { listInMemory } from "../../lists/paged-list";
import type { Conversation, ConversationHead } from "../../prompts/conversations/conversation-store.sql";
import {
  type ConversationContext,
  deleteConversation,
  findConversation,
  saveConversation,
} from "../../prompts/conversations/conversations";
import { toUnixSeconds } from "../../unix-seconds";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids = "listOwnConversations" | "retrieveConversation" | "saveConversation" | "deleteConversation";

export function conversationRoutes(context: ConversationContext): Handlers<Ids> {
  const { conversations } = context;
  return {
    listOwnConversations: async ({ caller, query }) => {
      const own = await conversations.listByOwner(findConversationOwner(caller));
      return paginate(listInMemory(own), query, (head) => toHead(head, caller));
    },
    retrieveConversation: async ({ caller, params: { conversation_id: id } }) =>
      toReply(await findConversation(conversations, findConversationOwner(caller), id), caller),
    saveConversation: async ({ caller, params: { conversation_id: id }, body, request }) =>
      toReply(await saveConversation(context, request, findConversationOwner(caller), id, body), caller),
    deleteConversation: async ({ caller, params: { conversation_id: id }, request }) => {
      await deleteConversation(context, request, findConversationOwner(caller), id);
      return { object: "playground.conversation.deleted", id, deleted: true };
    },
  };
}

/** A member's conversations are the same in all of their sessions. */
function findConversationOwner({ keyId }: Caller): string {
  return keyId;
}

function toHead(head: ConversationHead, caller: Caller): HeadReply {
  return {
    object: "playground.conversation",
    id: head.id,
    title: head.title,
    project_id: head.projectId,
    is_shared: head.isShared,
    is_own: head.ownerId === findConversationOwner(caller),
    created_at: toUnixSeconds(head.createdAtMs),
    updated_at: toUnixSeconds(head.updatedAtMs),
  };
}

function toReply(conversation: Conversation, caller: Caller): ConversationReply {
  return { ...toHead(conversation, caller), content: JSON.parse(conversation.content) };
}
