import * as z from "zod/mini";
import { plainProblem } from "@/lib/console/gateway/problem";
import { beforeAnswer, isRunning, type Message } from "../messages/message";
import type { Workbench } from "../panes/pane";

/** The gateway accepts two megabytes per conversation. */
const MAX_BYTES = 1_900_000;
const MAX_TITLE_LENGTH = 80;

const text = z.string();
const count = z.number();
const counted = z.nullable(count);

const settings = z.object({
  endpoint: z.enum(["chat_completions", "messages"]),
  instruction: text,
  temperature: text,
  top_p: text,
  max_tokens: text,
  stop: text,
  seed: text,
  presence_penalty: text,
  frequency_penalty: text,
  reasoning_effort: z.enum(["", "none", "minimal", "low", "medium", "high"]),
  format: z.enum(["text", "json", "schema"]),
  schema: text,
  tools: text,
  replies: text,
  further: text,
});

/** Stored without the request and the raw reply. Of a problem, only the message is stored. */
const run = z.object({
  model: text,
  state: z.enum(["waiting", "answering", "finished", "stopped", "refused", "broken"]),
  requestId: z.nullable(text),
  loweredTo: counted,
  usage: z.nullable(z.object({ promptTokens: count, completionTokens: count })),
  finishReason: z.nullable(text),
  firstWordMs: counted,
  totalMs: counted,
  problem: z.nullable(
    z.pipe(
      z.object({ message: text }),
      z.transform(({ message }) => plainProblem("failed", message)),
    ),
  ),
  keptAs: z.optional(
    z.object({
      name: text.check(z.regex(/^conv_[0-9a-z]{8,40}\/[\w-]{1,40}$/)),
      endpoint: z.enum(["chat_completions", "messages"]),
    }),
  ),
  charge: z.nullable(z.object({ amount: text.check(z.regex(/^-?\d{1,30}(\.\d{1,30})?$/)), currency: text })),
  request: z.pipe(
    z.unknown(),
    z.transform(() => null),
  ),
  reply: z.pipe(
    z.unknown(),
    z.transform(() => null),
  ),
});

const message = z.object({
  id: text,
  role: z.enum(["user", "assistant", "tool"]),
  text,
  thinking: z.optional(text),
  attachments: z.optional(
    z.array(
      z
        .object({
          name: text,
          mimeType: text.check(z.regex(/^[^"\\\r\n]*$/)),
          data: text,
          kind: z.enum(["image", "document", "text"]),
        })
        .check(z.refine(({ kind, data }) => kind === "text" || /^[A-Za-z0-9+/=_-]*$/.test(data))),
    ),
  ),
  toolCalls: z.optional(z.array(z.object({ id: text, name: text, arguments: text }))),
  toolCallId: z.optional(text),
  run: z.optional(run),
});

const pane = z.object({
  id: text,
  model: text,
  width: z.number().check(z.positive()),
  own: z.nullable(settings),
  messages: z.array(message),
});

/** Shared conversations come from other people, so content must match this schema. */
const savedWorkbench = z.object({
  panes: z.array(pane).check(z.minLength(1), z.maxLength(8)),
  shared: settings,
  draft: text,
  promptId: z.optional(text),
  goesOn: z.optional(z.boolean()),
  runAs: z.optional(z.object({ id: text.check(z.regex(/^(?:key|role)_\w{1,60}$/)), name: text })),
});

/** Returns the content to save: the workbench without requests and raw replies; null if it is too large. */
export function contentOf(workbench: Workbench): Record<string, unknown> | null {
  const content = { format: 1, ...savedWorkbench.parse(withoutStreaming(workbench)) };
  return new Blob([JSON.stringify(content)]).size > MAX_BYTES ? null : content;
}

/** Omits the partial text of answers that the gateway stores, so that it isn't saved again with every token. */
function withoutStreaming(workbench: Workbench): Workbench {
  const before = (one: Message) => (one.run?.keptAs && isRunning(one.run) ? beforeAnswer(one) : one);
  return {
    ...workbench,
    panes: workbench.panes.map((one) => ({ ...one, messages: one.messages.map(before) })),
  };
}

/** Returns null if the content isn't in this console's format. */
export function workbenchFromContent({ format, ...content }: Record<string, unknown>): Workbench | null {
  const parsed = savedWorkbench.safeParse(content);
  return format === 1 && parsed.success ? (parsed.data as Workbench) : null;
}

/** Returns a hash of the content. Costs are left out, because looking them up isn't an edit. */
export function fingerprintOf(workbench: Workbench): string {
  const uncharged = (one: Message) => (one.run ? { ...one, run: { ...one.run, charge: null } } : one);
  const panes = withoutStreaming(workbench).panes.map((one) => ({
    ...one,
    messages: one.messages.map(uncharged),
  }));
  return hashOf(JSON.stringify(savedWorkbench.parse({ ...workbench, panes })));
}

/** cyrb53: 53 bits, so that two versions of a conversation don't collide in practice. */
function hashOf(words: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < words.length; at++) {
    const code = words.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}

/** Returns true if the workbench has no content worth saving. */
export function isBlank({ panes, draft }: Workbench): boolean {
  return draft.trim() === "" && panes.every(({ messages }) => messages.length === 0);
}

/** Derives a title from the first text, or from the draft. */
export function titleOf({ panes, draft }: Workbench): string {
  const first =
    panes.flatMap(({ messages }) => messages).find((one) => one.text.trim() !== "")?.text ?? draft;
  const line = first.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim();
  return line === "" ? "Without words" : [...line].slice(0, MAX_TITLE_LENGTH).join("");
}
