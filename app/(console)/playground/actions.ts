"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { mergeText } from "@/lib/console/merge-text";
import { streamChat } from "@/lib/console/stream-chat";
import { streamingAction } from "@/lib/console/streaming-action";
import type { ChatCompletionRequest } from "@/lib/contract/operations/completions";

/** Whose limits and balance a call counts for; null lets the gateway decide. */
const projectId = z.nullable(z.string().check(z.regex(/^[\w.-]{1,100}$/)));
/** The gateway checks it: what it refuses is told as it told it. */
const body = z.record(z.string(), z.unknown());

const call = z.strictObject({
  projectId,
  endpoint: z.enum(["chat_completions", "messages"]),
  body,
});

/** Asks a model and streams what happens. */
export const sendCall = streamingAction(call, ({ body: sent, ...options }, connection, signal) =>
  mergeText(streamChat(connection, sent, { ...options, signal })),
);

const previews = z.strictObject({ projectId, bodies: z.array(body).check(z.maxLength(25)) });

/** What would become of each of these calls now: its preview, or why it would not come as far. */
export const previewCalls = action(previews, async ({ projectId: project, bodies }) => {
  const headers: Record<string, string> = project === null ? {} : { "openai-project": project };
  const replies = bodies.map((asked) =>
    callGateway("previewChatCompletion", { body: asked as ChatCompletionRequest, headers }),
  );
  const data = (await Promise.all(replies)).map((reply) => ({
    preview: reply.ok ? reply.data : null,
    problem: reply.ok ? null : reply.problem,
  }));
  return { ok: true, data };
});
