"use server";

import * as z from "zod/mini";
import { streamChat } from "@/lib/console/stream-chat";
import { streamingAction } from "@/lib/console/streaming-action";

const message = z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string() });

const prompt = z.strictObject({
  /** Whose limits and balance the call counts for; null lets the gateway decide. */
  projectId: z.nullable(z.string().check(z.regex(/^[\w.-]{1,100}$/))),
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  messages: z.array(message).check(z.minLength(1)),
  temperature: z.nullable(z.number().check(z.minimum(0), z.maximum(2))),
  max_tokens: z.nullable(z.int().check(z.minimum(1))),
});

/** Asks a model and streams what happens; what is null is left to the provider. */
export const sendPrompt = streamingAction(
  prompt,
  ({ projectId, model, messages, temperature, max_tokens }, connection, signal) =>
    streamChat(
      connection,
      {
        model,
        messages,
        ...(temperature !== null && { temperature }),
        ...(max_tokens !== null && { max_tokens }),
      },
      { projectId, signal },
    ),
);
