import { boolean, integer, text, time } from "./columns";
import { type Table, table } from "./table";

/** Responses that can be gone on from, with their texts encrypted. */
export const storedResponseTable = table(
  "responses",
  {
    id: text.primaryKey(),
    project_id: text,
    created_at_ms: time,
    model: text,
    previous_id: text.nullable(),
    sealed_texts: text,
  },
  { indexes: { responses_by_project: { on: "project_id, created_at_ms" } } },
);

/** Which response has an item that its provider has named. */
export const responseItemTable = table(
  "response_items",
  { project_id: text, item_id: text, response_id: text },
  {
    primaryKey: ["project_id", "item_id"],
    indexes: { response_items_by_response: { on: "response_id" } },
  },
);

/** The events of responses of the background as they came, in encrypted parts. */
export const responsePartTable = table(
  "response_parts",
  { response_id: text, number: integer, sealed_text: text },
  { primaryKey: ["response_id", "number"], withoutRowid: true },
);

/** Who is told of the end of a response of the background, with the address encrypted. */
export const responseCallbackTable = table(
  "response_callbacks",
  {
    response_id: text.primaryKey(),
    project_id: text,
    receiver: text,
    sealed_url: text,
    status: text,
    tries: integer,
    due_at_ms: time,
    ended_at_ms: time.nullable(),
    claimed_by: text.nullable(),
    claimed_until_ms: time.nullable(),
  },
  { indexes: { response_callbacks_due: { on: "due_at_ms", where: "status = 'pending'" } } },
);

/** Conversations that responses go on with, with their texts encrypted. */
export const responseConversationTables: readonly Table[] = [
  table(
    "response_conversations",
    {
      id: text.primaryKey(),
      project_id: text,
      created_at_ms: time,
      updated_at_ms: time,
      sealed_metadata: text,
      revision: integer,
      busy_by: text.nullable(),
      busy_since_ms: time.nullable(),
    },
    { indexes: { response_conversations_by_project: { on: "project_id, updated_at_ms" } } },
  ),
  table(
    "response_conversation_items",
    { conversation_id: text, position: integer, id: text, created_at_ms: time, sealed_item: text },
    {
      primaryKey: ["conversation_id", "position"],
      indexes: { response_conversation_items_by_id: { on: "conversation_id, id" } },
    },
  ),
];

export const conversationTables = [
  table(
    "conversations",
    {
      id: text.primaryKey(),
      owner_id: text,
      project_id: text.nullable(),
      sealed_title: text,
      is_shared: boolean.check("is_shared IN (0, 1)"),
      sealed_content: text,
      created_at_ms: time,
      updated_at_ms: time,
    },
    {
      indexes: {
        conversations_by_owner: { on: "owner_id, updated_at_ms, id" },
        conversations_by_age: { on: "updated_at_ms" },
      },
    },
  ),
  // Replies of calls that continue without their client, in encrypted parts, deleted after 30 days.
  table(
    "conversation_answers",
    {
      id: text.primaryKey(),
      conversation_id: text,
      owner_id: text,
      request_id: text,
      status: integer.nullable(),
      content_type: text.nullable(),
      max_tokens: text.nullable(),
      is_running: boolean.check("is_running IN (0, 1)"),
      is_canceled: boolean.check("is_canceled IN (0, 1)"),
      updated_at_ms: time,
    },
    {
      indexes: {
        conversation_answers_by_conversation: { on: "conversation_id" },
        conversation_answers_by_age: { on: "updated_at_ms" },
      },
    },
  ),
  table(
    "conversation_answer_parts",
    {
      answer_id: text.references("conversation_answers.id", "cascade"),
      number: integer,
      sealed_text: text,
    },
    {
      primaryKey: ["answer_id", "number"],
      withoutRowid: true,
    },
  ),
];
