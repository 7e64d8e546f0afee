import * as z from "zod/mini";
import { type BodyBounds, defineOperations } from "../../operation";
import { binary } from "../../raw-reply";
import { displayName, pageQuery, pageSchema, unixSeconds } from "../../schema";
import { markUnversioned, withVersion } from "../../version";

/** A conversation with some images in it. */
const conversationBounds: BodyBounds = { bytes: 2 * 1024 * 1024, entries: 100_000 };

const head = {
  object: z.literal("playground.conversation"),
  id: z.string(),
  title: z.string(),
  /** The project whose limits and balance apply to its calls. */
  project_id: z.nullable(z.string()),
  /** Whether everybody in the organization who has the link may read it. */
  is_shared: z.boolean(),
  /** Whether the caller owns it. */
  is_own: markUnversioned(z.boolean()),
  /** The present name of the member who owns it; null for one who was removed, and for a key. */
  owner_name: markUnversioned(z.optional(z.nullable(z.string()))),
  created_at: unixSeconds,
  updated_at: markUnversioned(unixSeconds),
};

const conversationHead = z.object(head);
export type ConversationHead = z.output<typeof conversationHead>;

/** The console's serialized workbench. The gateway doesn't interpret it. */
const content = z.record(z.string(), z.unknown());

const conversation = withVersion(z.object({ ...head, content }));
export type Conversation = z.output<typeof conversation>;

export const conversationDraft = z.strictObject({
  title: displayName,
  project_id: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
  is_shared: z.optional(z.boolean()),
  content,
});
export type ConversationDraft = z.output<typeof conversationDraft>;

/**
 * A call with this request header continues when its client disconnects, and its reply is stored. The value is
 * `conv_…/answer id`; the caller chooses the answer id (1 to 40 letters, digits, `-` or `_`).
 */
export const KEEP_ANSWER_HEADER = "x-gatehouse-keep-answer";

const path = "/organization/conversations/{conversation_id}";

export const conversationOperations = defineOperations(
  { surface: "v1 and origin", scope: "any project", permission: "api.playground.write" },
  {
    listOwnConversations: {
      method: "GET",
      path: "/organization/conversations",
      summary: "Lists the playground's conversations of whoever asks, the last changed first.",
      query: pageQuery,
      reply: pageSchema(conversationHead),
    },
    retrieveConversation: {
      method: "GET",
      path,
      summary: "Returns a conversation of one's own, or one that was shared.",
      reply: conversation,
    },
    saveConversation: {
      method: "POST",
      effect: "sets",
      needsVersion: true,
      path,
      summary:
        "Keeps a conversation of the playground under an id of the caller's choice (`conv_` and 8 to 40 small letters or digits), or changes the version of it that `If-Match` names. It is sealed, private until it is shared, and deleted 180 days after its last change; of each person the last 100 are kept.",
      body: conversationDraft,
      bodyBounds: conversationBounds,
      reply: conversation,
    },
    deleteConversation: {
      method: "DELETE",
      effect: "deletes",
      path,
      summary: "Deletes a conversation of one's own.",
      reply: z.object({
        object: z.literal("playground.conversation.deleted"),
        id: z.string(),
        deleted: z.literal(true),
      }),
    },
    retrieveConversationAnswer: {
      method: "GET",
      path: `${path}/answers/{answer_id}`,
      summary:
        "Returns the reply of a call that was sent with the header `x-gatehouse-keep-answer`, from its first byte on and as it comes, to whoever may read the conversation. It is sealed, and deleted 30 days after the call.",
      reply: binary("*/*"),
    },
    cancelConversationAnswer: {
      method: "POST",
      effect: "acts",
      path: `${path}/answers/{answer_id}/cancel`,
      summary:
        "Stops a call of one's own that was sent with the header `x-gatehouse-keep-answer`, within a second, and at its provider. What came until then is kept and charged.",
      reply: z.object({ object: z.literal("playground.answer"), id: z.string(), canceled: z.literal(true) }),
    },
  },
);
