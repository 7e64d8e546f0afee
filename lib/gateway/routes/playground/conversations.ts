import type {
  Conversation as ConversationReply,
  ConversationHead as HeadReply,
} from "@/lib/contract/operations/playground/conversations";
import type { Caller } from "../../access/caller";
import { listInMemory } from "../../lists/paged-list";
import type { UserCache } from "../../people/members";
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

interface Context extends ConversationContext {
  readonly userCache: UserCache;
}

export function conversationRoutes(context: Context): Handlers<Ids> {
  const { conversations, userCache } = context;
  const toReply = ({ content, ...head }: Conversation, caller: Caller): ConversationReply => ({
    ...toHead(userCache, head, caller),
    content: JSON.parse(content),
  });
  return {
    listOwnConversations: async ({ caller, query }) => {
      const own = await conversations.listByOwner(findConversationOwner(caller));
      return paginate(listInMemory(own), query, (head) => toHead(userCache, head, caller));
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

function toHead(userCache: Pick<UserCache, "find">, head: ConversationHead, caller: Caller): HeadReply {
  return {
    object: "playground.conversation",
    id: head.id,
    title: head.title,
    project_id: head.projectId,
    is_shared: head.isShared,
    is_own: head.ownerId === findConversationOwner(caller),
    owner_name: userCache.find(head.ownerId)?.name ?? null,
    created_at: toUnixSeconds(head.createdAtMs),
    updated_at: toUnixSeconds(head.updatedAtMs),
  };
}
