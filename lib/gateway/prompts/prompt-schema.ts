/** The tables of prompts. What `sealed_` columns hold is JSON or a name, each sealed for its row. */
export interface PromptTables {
  prompts: {
    id: string;
    project_id: string;
    owner_id: string;
    owner_name: string;
    sealed_name: string;
    is_shared: 0 | 1;
    sealed_cases: string;
    latest_version: number;
    created_at_ms: number;
    updated_at_ms: number;
  };
  prompt_versions: {
    id: string;
    prompt_id: string;
    number: number;
    author_id: string;
    author_name: string;
    sealed_content: string;
    created_at_ms: number;
  };
  prompt_runs: {
    id: string;
    prompt_id: string;
    author_id: string;
    author_name: string;
    /** JSON arrays. */
    versions: string;
    models: string;
    sealed_cases: string;
    created_at_ms: number;
  };
  prompt_results: {
    run_id: string;
    version: number;
    case_number: number;
    model: string;
    sealed_result: string;
  };
  /** The bytes of a prompt's cases, versions, runs and results as stored, kept by triggers. */
  prompt_sizes: { prompt_id: string; owner_id: string; bytes: number };
}

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
