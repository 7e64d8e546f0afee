import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";

// Safe for the browser.

/** A call as a body of an endpoint. */
export interface CallBody {
  readonly body: Record<string, unknown>;
  /** Parameters that the body can't carry. */
  readonly lacks: readonly string[];
}

/** The same call as a body of each endpoint. */
export type CallBodies = Readonly<Record<ChatEndpoint, CallBody>>;

/** A call as its snippets need it: its body with or without `stream`, as `streams` says. */
export interface SnippetCall extends CallBody {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly streams: boolean;
}

/** A comment that names what was left out, with its line's end; empty if nothing was. */
export function commentOn({ lacks }: Pick<CallBody, "lacks">, api: string, mark = "//"): string {
  return lacks.length > 0 ? `${mark} ${api} has no ${lacks.join(", ")}.\n` : "";
}
