/** The tables of kept responses and of the conversations that they go on with. */
export interface ResponseTables {
  /** Responses that can be gone on from. */
  responses: {
    id: string;
    project_id: string;
    created_at_ms: number;
    model: string;
    previous_id: string | null;
    sealed_texts: string;
    /** How a response of the background stands; null for another one. */
    status: string | null;
    /** The process that runs it; null once it has ended. */
    owner: string | null;
    /** The scope and value of its idempotency key, and the hash of what was asked with it. */
    repeat_key: string | null;
    body_hash: string | null;
  };
  /** The events of a response of the background, in the order in which they were stored. */
  response_parts: {
    response_id: string;
    number: number;
    sealed_text: string;
  };
  /** Who is told of the end of a response of the background. */
  response_callbacks: {
    response_id: string;
    project_id: string;
    /** The server that is told, by which deliveries are spread. */
    receiver: string;
    sealed_url: string;
    /** `waiting` until the response has ended. */
    status: "waiting" | "pending" | "delivered" | "exhausted";
    tries: number;
    due_at_ms: number;
    /** When the response ended; null until then. */
    ended_at_ms: number | null;
    claimed_by: string | null;
    claimed_until_ms: number | null;
  };
  /** Which response has an item that its provider has named. */
  response_items: {
    project_id: string;
    item_id: string;
    response_id: string;
  };
  /** Conversations that responses go on with. */
  response_conversations: {
    id: string;
    project_id: string;
    created_at_ms: number;
    /** When its items last changed. */
    updated_at_ms: number;
    sealed_metadata: string;
    /** Counts the changes of its items. */
    revision: number;
    /** The request that goes on with it, and since when. */
    busy_by: string | null;
    busy_since_ms: number | null;
  };
  response_conversation_items: {
    conversation_id: string;
    /** Its place, from 1. */
    position: number;
    id: string;
    created_at_ms: number;
    sealed_item: string;
  };
}
