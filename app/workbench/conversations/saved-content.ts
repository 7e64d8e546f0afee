import * as z from "zod/mini";
import { createProblem } from "@/lib/console/gateway/problem";
import { task } from "@/lib/contract/operations/task";
import { isRunning, type Message, resetAnswer, runningTask } from "../messages/message";
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
      z.transform(({ message }) => createProblem("failed", message)),
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

const base64 = text.check(z.regex(/^[A-Za-z0-9+/=]*$/));
const mimeType = text.check(z.regex(/^[\w.+-]{1,40}\/[\w.+-]{1,60}$/));

const output = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("task"),
    task: z.extend(task, { id: text.check(z.regex(/^[\w-]{1,100}$/)) }),
  }),
  z.object({ kind: z.literal("speech"), mimeType, bytes: count, data: base64 }),
  z.object({ kind: z.literal("transcript") }),
  z.object({ kind: z.literal("embedding"), vector: z.array(count).check(z.maxLength(100_000)) }),
  z.object({
    kind: z.literal("moderation"),
    flagged: z.boolean(),
    categories: z
      .array(z.object({ name: text, flagged: z.boolean(), score: counted }))
      .check(z.maxLength(200)),
  }),
]);

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
          kind: z.enum(["image", "document", "text", "audio"]),
          seconds: z.optional(count),
          detail: z.optional(text),
        })
        .check(z.refine(({ kind, data }) => kind === "text" || /^[A-Za-z0-9+/=_-]*$/.test(data))),
    ),
  ),
  textAt: z.optional(count),
  toolCalls: z.optional(z.array(z.object({ id: text, name: text, arguments: text }))),
  toolCallId: z.optional(text),
  output: z.optional(output),
  run: z.optional(run),
});

const pane = z.object({
  id: text,
  model: text,
  width: z.number().check(z.positive()),
  own: z.nullable(settings),
  messages: z.array(message),
  options: z.optional(z.record(text, text)),
});

/** Shared conversations come from other people, so content must match this schema. */
const savedWorkbench = z.object({
  panes: z.array(pane).check(z.minLength(1), z.maxLength(8)),
  shared: settings,
  draft: text,
  returned: z.optional(text),
  variables: z.optional(z.record(text, text)),
  promptId: z.optional(text),
  goesOn: z.optional(z.boolean()),
  runAs: z.optional(z.object({ id: text.check(z.regex(/^(?:key|role)_\w{1,60}$/)), name: text })),
});

/** Returns the content to save: the workbench without requests and raw replies; null if it is too large. */
export function toContent(workbench: Workbench): Record<string, unknown> | null {
  const content = { format: 1, ...savedWorkbench.parse(withoutStreaming(workbench)) };
  return new Blob([JSON.stringify(content)]).size > MAX_BYTES ? null : content;
}

/** Omits what the gateway stores, so that it isn't saved again with every token, and recordings that are too large. */
function withoutStreaming(workbench: Workbench): Workbench {
  const before = (one: Message) =>
    withoutLargeAudio(one.run?.keptAs && isRunning(one.run) ? resetAnswer(one) : withoutProgress(one));
  return {
    ...workbench,
    panes: workbench.panes.map((one) => ({ ...one, messages: one.messages.map(before) })),
  };
}

/** A task's progress is read again, so that it isn't an edit. */
function withoutProgress(one: Message): Message {
  const running = runningTask(one);
  if (!running) return one;
  const begun = { ...running, status: "queued" as const, progress: null, started_at: null };
  return { ...one, output: { kind: "task", task: { ...begun, cancel_requested: false } } };
}

/** Base64 characters. Other recordings and spoken texts are lost with the page. */
const MAX_AUDIO_LENGTH = 400_000;

/** Replaces audio that is too large to be saved by nothing. Its name, size, cost and receipt stay. */
export function withoutLargeAudio(one: Message): Message {
  const { output: made, attachments } = one;
  const isLarge = made?.kind === "speech" && made.data.length > MAX_AUDIO_LENGTH;
  const hasLarge = attachments?.some(({ kind, data }) => kind === "audio" && data.length > MAX_AUDIO_LENGTH);
  if (!isLarge && !hasLarge) return one;
  return {
    ...one,
    ...(isLarge && { output: { ...made, data: "" } }),
    ...(attachments && {
      attachments: attachments.map((file) =>
        file.kind === "audio" && file.data.length > MAX_AUDIO_LENGTH ? { ...file, data: "" } : file,
      ),
    }),
  };
}

/** Returns null if the content isn't in this console's format. */
export function restoreWorkbench({ format, ...content }: Record<string, unknown>): Workbench | null {
  const parsed = savedWorkbench.safeParse(content);
  return format === 1 && parsed.success ? (parsed.data as Workbench) : null;
}

/** Returns whether a value has the shape of a workbench: a tab can have stored it before the console was updated. */
export function isWorkbench(value: unknown): value is Workbench {
  return savedWorkbench.safeParse(value).success;
}

/**
 * Returns a hash of the content. Costs and times are left out: looking them up isn't an edit, and a tab that only follows an
 * answer measures no times.
 */
export function hashContent(workbench: Workbench): string {
  const unmeasured = { charge: null, firstWordMs: null, totalMs: null };
  const withoutFigures = (one: Message) => (one.run ? { ...one, run: { ...one.run, ...unmeasured } } : one);
  const panes = withoutStreaming(workbench).panes.map((one) => ({
    ...one,
    messages: one.messages.map(withoutFigures),
  }));
  return hashText(JSON.stringify(savedWorkbench.parse({ ...workbench, panes })));
}

/** cyrb53: 53 bits, so that two versions of a conversation don't collide in practice. */
function hashText(words: string): string {
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
export function toTitle({ panes, draft }: Workbench): string {
  const first =
    panes.flatMap(({ messages }) => messages).find((one) => one.text.trim() !== "")?.text ?? draft;
  const line = first
    .trimStart()
    .slice(0, MAX_TITLE_LENGTH * 10)
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim();
  return line === "" ? "Untitled conversation" : [...line].slice(0, MAX_TITLE_LENGTH).join("");
}
