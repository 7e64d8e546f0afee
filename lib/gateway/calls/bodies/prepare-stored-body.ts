import { type Redactions, TooLongToRedact } from "../../log/bodies/redactions";
import type { BodyDraft, Excerpt, StoredBody, StoredText } from "../../log/bodies/stored-body";
import { assembleReply } from "./assemble-reply";
import { describeBody } from "./describe-body";

/**
 * Makes the stored form of a captured body: described, redacted, and with streams assembled. It is slow, so it runs on
 * a thread.
 */
export function prepareStoredBody(draft: BodyDraft, redactions: Redactions): StoredBody {
  const { requestId, projectId, atMs, mode, isStream } = draft;
  const request = read(draft.request, parse);
  const reply = draft.reply && read(draft.reply, isStream ? assembleReply : parse);
  const described = describeBody(request, reply);
  redactions.begin();
  // Names that callers chose are redacted; numbers are not.
  const tools = described.tools.map((name) => redactions.redactText(name));
  const tool_calls = described.tool_calls.map((name) => redactions.redactText(name));
  redactions.begin();
  const texts = mode === "metadata" ? null : prepareTexts(draft, redactions, request, reply);
  return { requestId, projectId, atMs, metadata: { ...described, tools, tool_calls }, texts };
}

type ReadBytes = Excerpt & { readonly value: unknown };

function read(bytes: Excerpt, as: (begin: Uint8Array) => unknown): ReadBytes {
  return { ...bytes, value: unlessTooMuch(() => as(bytes.begin)) ?? null };
}

/** Returns null for a value that is nested too deeply, and for one that takes too long to redact. */
function unlessTooMuch<Made>(make: () => Made): Made | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TooLongToRedact) return null;
    throw error;
  }
}

function prepareTexts(draft: BodyDraft, redactions: Redactions, request: ReadBytes, reply: ReadBytes | null) {
  const keep = (bytes: ReadBytes) => prepareText(bytes, redactions, draft.redactions.length > 0);
  const texts = { request: keep(request), reply: reply && keep(reply) };
  return { ...texts, redacted: redactions.replaced };
}

/** Text that is not JSON can't be redacted by patterns, since escapes could hide a match. */
function prepareText(
  { begin, size, value }: ReadBytes,
  redactions: Redactions,
  hasPatterns: boolean,
): StoredText {
  const isCut = size > begin.byteLength;
  if (value !== null)
    return { text: unlessTooMuch(() => JSON.stringify(redactions.redactValue(value))), isCut };
  return { text: hasPatterns ? null : redactions.redactText(new TextDecoder().decode(begin)), isCut };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}
