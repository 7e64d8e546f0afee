interface Thinking {
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
}

/**
 * The thinking in a chat completion's message or delta; empty if there is none. Servers have two names for it, and some
 * send the same text under both.
 */
export function readThinking({ reasoning_content, reasoning }: Thinking): string {
  const thinking = reasoning_content || reasoning;
  return typeof thinking === "string" ? thinking : "";
}
