import * as z from "zod/mini";
import { type BodyBounds, defineOperations } from "../../operation";
import { orderedPageQuery, pageSchema, queryList, unixSeconds } from "../../schema";
import { item, metadata, storedItem } from "./responses";

/** A few items with some images in them. */
const itemBounds: BodyBounds = { bytes: 2 * 1024 * 1024, entries: 100_000 };
/** As many as OpenAI's API takes at once. */
const MAX_ADDED = 20;

const items = z.array(item).check(z.maxLength(MAX_ADDED));
const include = z.optional(queryList);

/** A conversation in the form of OpenAI's API reference. */
const conversation = z.object({
  id: z.string(),
  object: z.literal("conversation"),
  created_at: unixSeconds,
  metadata: z.record(z.string(), z.string()),
});
export type ResponseConversation = z.output<typeof conversation>;

export const responseConversationOperations = defineOperations(
  {
    surface: "v1",
    scope: "named project",
    permission: "api.completions.write",
    sessionPermission: "api.playground.write",
    limitedKeys: ["responses"],
  },
  {
    createResponseConversation: {
      method: "POST",
      effect: "creates",
      path: "/conversations",
      summary:
        "Begins a conversation that responses go on with, with up to 20 items. It is kept sealed, as long as the project keeps the bodies of its calls whole.",
      body: z.strictObject({
        items: z.optional(z.nullable(items)),
        metadata: z.optional(z.nullable(metadata)),
      }),
      bodyBounds: itemBounds,
      reply: conversation,
    },
    retrieveResponseConversation: {
      method: "GET",
      path: "/conversations/{conversation_id}",
      summary: "Returns a conversation of responses.",
      reply: conversation,
    },
    changeResponseConversation: {
      method: "POST",
      effect: "acts",
      path: "/conversations/{conversation_id}",
      summary: "Replaces the metadata of a conversation.",
      body: z.strictObject({ metadata: z.nullable(metadata) }),
      reply: conversation,
    },
    deleteResponseConversation: {
      method: "DELETE",
      effect: "acts",
      path: "/conversations/{conversation_id}",
      summary: "Deletes a conversation with its items. Kept responses of it stay.",
      reply: z.object({
        id: z.string(),
        object: z.literal("conversation.deleted"),
        deleted: z.literal(true),
      }),
    },
    createResponseConversationItems: {
      method: "POST",
      effect: "acts",
      path: "/conversations/{conversation_id}/items",
      summary: "Adds up to 20 items to a conversation.",
      query: z.looseObject({ include }),
      body: z.strictObject({ items: items.check(z.minLength(1)) }),
      bodyBounds: itemBounds,
      reply: pageSchema(storedItem),
    },
    listResponseConversationItems: {
      method: "GET",
      path: "/conversations/{conversation_id}/items",
      summary: "Lists the items of a conversation, latest first.",
      query: z.looseObject({ ...orderedPageQuery.shape, include }),
      reply: pageSchema(storedItem),
    },
    retrieveResponseConversationItem: {
      method: "GET",
      path: "/conversations/{conversation_id}/items/{item_id}",
      summary: "Returns an item of a conversation.",
      query: z.looseObject({ include }),
      reply: storedItem,
    },
    deleteResponseConversationItem: {
      method: "DELETE",
      effect: "acts",
      path: "/conversations/{conversation_id}/items/{item_id}",
      summary: "Deletes an item of a conversation.",
      reply: conversation,
    },
  },
);
