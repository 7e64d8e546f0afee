/** The tables of the playground, for Kysely. */
export interface ConversationTables {
  /** Saved playground conversations. */
  conversations: {
    id: string;
    owner_id: string;
    project_id: string | null;
    sealed_title: string;
    is_shared: 0 | 1;
    sealed_content: string;
    created_at_ms: number;
    updated_at_ms: number;
  };
  /** Replies of calls that continue without their client; `id` is `conversation/answer`. */
  conversation_answers: {
    id: string;
    conversation_id: string;
    owner_id: string;
    request_id: string;
    status: number | null;
    content_type: string | null;
    max_tokens: string | null;
    is_running: 0 | 1;
    is_canceled: 0 | 1;
    updated_at_ms: number;
  };
  conversation_answer_parts: { answer_id: string; number: number; sealed_text: string };
}
