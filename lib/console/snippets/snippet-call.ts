// Safe for the browser: no imports.

/** A call as its snippets need it: its body with or without `stream`, as `streams` says. */
export interface SnippetCall {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly body: Record<string, unknown>;
  readonly streams: boolean;
  /** Parameters that the body can't carry. */
  readonly lacks: readonly string[];
}

/** A comment that names what was left out, with its line's end; empty if nothing was. */
export function commentOn({ lacks }: SnippetCall, api: string, mark = "//"): string {
  return lacks.length > 0 ? `${mark} ${api} has no ${lacks.join(", ")}.\n` : "";
}
