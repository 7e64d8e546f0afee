import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";

// Safe for the browser: no imports. Program code for the calls behind a form.

/** A `curl` command with a JSON body. The key is read from the environment. */
export function curlSnippet(call: { url: string; body: object }): string {
  return [
    `curl -X POST ${quoteForShell(call.url)} \\`,
    `  -H "Authorization: Bearer $GATEHOUSE_ADMIN_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${quoteForShell(JSON.stringify(call.body, null, 2))}`,
  ].join("\n");
}

/** The same with the official SDK; `call` is the awaited call on `client`. */
export function sdkSnippet({ baseUrl, call }: { baseUrl: string; call: string }): string {
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(baseUrl)},
  adminAPIKey: process.env.GATEHOUSE_ADMIN_KEY,
});

${call}`;
}

/** A call with one argument per line, so that long ones stay visible. */
export function callLiteral(callee: string, ...parameters: readonly unknown[]): string {
  const lines = parameters.map((value) => `${toLiteral(value).replace(/^/gm, "  ")},\n`);
  return `${callee}(\n${lines.join("")});`;
}

/** A value as a JavaScript literal: JSON with unquoted keys. */
export function toLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

/** Quotes a text as one word for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

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
