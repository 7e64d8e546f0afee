"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/actions/action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { mergeText } from "@/lib/console/streaming/merge-text";
import { streamChat } from "@/lib/console/streaming/stream-chat";
import { streamingAction } from "@/lib/console/streaming/streaming-action";
import type { ChatCompletionRequest } from "@/lib/contract/operations/completions";

/** The project whose limits and balance apply to the call; null lets the gateway decide. */
const projectId = z.nullable(z.string().check(z.regex(/^[\w.-]{1,100}$/)));
/** Not validated here: the gateway validates it and its refusals are shown unchanged. */
const body = z.record(z.string(), z.unknown());

const call = z.strictObject({
  projectId,
  endpoint: z.enum(["chat_completions", "messages"]),
  body,
});

/** Sends a call to a model and streams its events. */
export const sendCall = streamingAction(call, ({ body: sent, ...options }, connection, signal) =>
  mergeText(streamChat(connection, sent, { ...options, signal })),
);

const previews = z.strictObject({ projectId, bodies: z.array(body).check(z.maxLength(25)) });

/** Previews each call: what the gateway would do with it now, or why it would refuse it. */
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
