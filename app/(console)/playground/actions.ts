"use server";

import * as z from "zod/mini";
import { mergeText } from "@/lib/console/merge-text";
import { streamChat } from "@/lib/console/stream-chat";
import { streamingAction } from "@/lib/console/streaming-action";

const call = z.strictObject({
  /** Whose limits and balance the call counts for; null lets the gateway decide. */
  projectId: z.nullable(z.string().check(z.regex(/^[\w.-]{1,100}$/))),
  endpoint: z.enum(["chat_completions", "messages"]),
  /** The gateway checks it: what it refuses is told as it told it. */
  body: z.record(z.string(), z.unknown()),
});

/** Asks a model and streams what happens. */
export const sendCall = streamingAction(call, ({ projectId, endpoint, body }, connection, signal) =>
  mergeText(streamChat(connection, body, { projectId, signal, endpoint })),
);
