import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";

// Safe for the browser: no imports. Receivers of callbacks that check their signatures, by Standard Webhooks.

/**
 * A receiver's check in TypeScript, without a package. `CALLBACK_SECRET` in the environment is the project's secret.
 */
export const typescriptVerifier = `import { createHmac, timingSafeEqual } from "node:crypto";

const key = Buffer.from(process.env.CALLBACK_SECRET!.slice("whsec_".length), "base64");

/** Whether a callback is genuine and at most five minutes old. \`body\` is the request's text, unparsed. */
export function isGenuine(headers: Headers, body: string): boolean {
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp");
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  // While a replaced secret still signs, there are several signatures.
  return (headers.get("webhook-signature") ?? "").split(" ").some((signature) => {
    const sent = Buffer.from(signature.replace("v1,", ""), "base64");
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}`;

/** The same in Python. */
export const pythonVerifier = `import base64, hashlib, hmac, os, time

key = base64.b64decode(os.environ["CALLBACK_SECRET"].removeprefix("whsec_"))

def is_genuine(headers, body: bytes) -> bool:
    """Whether a callback is genuine and at most five minutes old. body is the request's bytes, unparsed."""
    timestamp = headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # While a replaced secret still signs, there are several signatures.
    return any(hmac.compare_digest(sent, expected) for sent in headers["webhook-signature"].split(" "))`;

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

/** A JSON value as a Python literal, formatted like JSON. */
export function toPython(value: unknown, indent = ""): string {
  const inner = `${indent}    `;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((one) => toPython(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${toPython(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}
