"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { defineStreamingAction } from "@/lib/console/streaming/define-streaming-action";
import { mergeText } from "@/lib/console/streaming/merge-text";
import { followAnswer, streamChat } from "@/lib/console/streaming/stream-chat";
import { followTask, streamMedia } from "@/lib/console/streaming/stream-media";
import { chatEndpoints } from "@/lib/contract/access/key-scopes";
import { modelFamilies } from "@/lib/contract/calls/model-families";
import { type ChatCompletionRequest, RUN_AS_HEADER } from "@/lib/contract/operations/calls/completions";

/** The project whose limits and balance apply to the call; null lets the gateway decide. */
const projectId = z.nullable(z.string().check(z.regex(/^[\w.-]{1,100}$/)));
/** The gateway validates the body, and its refusals are shown unchanged. */
const body = z.record(z.string(), z.unknown());

const endpoint = z.enum(chatEndpoints);
/** The name of a stored answer: `conv_…/answer id`. */
const answerName = z.string().check(z.regex(/^conv_[0-9a-z]{8,40}\/[\w-]{1,40}$/));

/** The id of the key that the call is made as, or of the role that it is previewed as. */
const runAs = z.optional(z.string().check(z.regex(/^(?:key|role)_\w{1,60}$/)));

const callInput = z.strictObject({ projectId, endpoint, body, keepAs: z.optional(answerName), runAs });

/** Sends a call to a model and streams its events. */
export const sendCall = defineStreamingAction(callInput, ({ body: sent, ...options }, connection, signal) =>
  mergeText(streamChat(connection, sent, { ...options, signal })),
);

const otherFamily = z.enum(modelFamilies.filter((family) => family !== "chat"));

const mediaCallInput = z.strictObject({
  projectId,
  family: otherFamily,
  body,
  recording: z.optional(z.instanceof(File)),
  translates: z.optional(z.boolean()),
  runAs,
});

/** Makes a call to a model that is no chat model, and streams what becomes of it. */
export const sendMedia = defineStreamingAction(mediaCallInput, (sent, connection, signal) =>
  streamMedia(connection, sent, signal),
);

const taskInput = z.strictObject({ taskId: z.string().check(z.regex(/^[\w-]{1,100}$/)) });

/** Streams the rest of a task that the person made. */
export const followOwnTask = defineStreamingAction(taskInput, ({ taskId }, connection, signal) =>
  followTask(connection, { id: taskId }, signal),
);

const followCallInput = z.strictObject({ name: answerName, endpoint });

/** Streams the answer of a call that continued without its page. */
export const followCall = defineStreamingAction(followCallInput, (kept, connection, signal) =>
  mergeText(followAnswer(connection, kept, signal)),
);

/** Stops a call that continues without its page. */
export const cancelCall = defineAction(z.strictObject({ name: answerName }), ({ name }) => {
  const [conversation_id = "", answer_id = ""] = name.split("/");
  return callGateway("cancelConversationAnswer", { params: { conversation_id, answer_id } });
});

const previewCallsInput = z.strictObject({ projectId, runAs, bodies: z.array(body).check(z.maxLength(25)) });

/**
 * Previews each call: what the gateway would do with it now, or why it would refuse it. Sends nothing to providers.
 * Fails only if the session has ended.
 */
export const previewCalls = defineAction(
  previewCallsInput,
  async ({ projectId: project, runAs: as, bodies }) => {
    const headers: Record<string, string> = {
      ...(project !== null && { "openai-project": project }),
      ...(as !== undefined && { [RUN_AS_HEADER]: as }),
    };
    const previews = await Promise.all(
      bodies.map(async (asked) => {
        const preview = () =>
          callGateway("previewChatCompletion", { body: asked as ChatCompletionRequest, headers });
        const reply = await preview();
        // A preview changes nothing, so one whose connection was lost is asked for again.
        return !reply.ok && reply.problem.code === "unreachable" ? preview() : reply;
      }),
    );
    const ended = previews.find((reply) => !reply.ok && reply.problem.code === "unauthenticated");
    if (ended && !ended.ok) return ended;
    const data = previews.map((reply) => ({
      preview: reply.ok ? reply.data : null,
      problem: reply.ok ? null : reply.problem,
    }));
    return { ok: true, data };
  },
);
