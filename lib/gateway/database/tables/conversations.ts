import { boolean, integer, text, time } from "./columns";
import { table } from "./table";

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
