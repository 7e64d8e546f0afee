import * as z from "zod/mini";
import { createProblem } from "@/lib/console/gateway/problem";
import { chatEndpoints } from "@/lib/contract/access/key-scopes";
import { task } from "@/lib/contract/operations/tasks/task";
import type { Workbench } from "../workbench";
import { FORMAT } from "./saved-content";
import { fromStoredWorkbench, type StoredWorkbench } from "./stored-workbench";

const text = z.string();
const count = z.number();
const counted = z.nullable(count);

const endpoint = z.enum(chatEndpoints);

const settings = z.object({
  endpoint,
  instruction: text,
  temperature: text,
  top_p: text,
  max_tokens: text,
  stop: text,
  seed: text,
  presence_penalty: text,
  frequency_penalty: text,
  reasoning_effort: z.enum(["", "none", "minimal", "low", "medium", "high"]),
  // Conversations that were saved before it was there have none.
  reasoning_summary: z._default(z.enum(["", "auto", "concise", "detailed"]), ""),
  format: z.enum(["text", "json", "schema"]),
  schema: text,
  tools: text,
  replies: text,
  further: text,
});

/** Stored without the request and the raw reply. Of a problem, only the message is stored. */
const call = z.object({
  model: text,
  state: z.enum(["waiting", "answering", "finished", "stopped", "refused", "broken"]),
  requestId: z.nullable(text),
  loweredTo: counted,
  usage: z.nullable(
    z.object({
      promptTokens: count,
      completionTokens: count,
      cachedTokens: z.optional(count),
      reasoningTokens: z.optional(count),
    }),
  ),
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
      endpoint,
    }),
  ),
  schema: z.optional(text),
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
  values: z.optional(z.record(text, text)),
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
  items: z.optional(z.array(z.record(text, z.unknown())).check(z.maxLength(500))),
  toolCallId: z.optional(text),
  output: z.optional(output),
  run: z.optional(call),
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

/** Returns null if the content isn't in this console's format. */
export function restoreWorkbench({ format, ...content }: Record<string, unknown>): Workbench | null {
  const parsed = savedWorkbench.safeParse(content);
  return format === FORMAT && parsed.success ? fromStoredWorkbench(parsed.data as StoredWorkbench) : null;
}
