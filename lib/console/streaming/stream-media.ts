import { isMediaFamily, type ModelFamily } from "@/lib/contract/calls/model-families";
import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operation-table";
import { RUN_AS_HEADER } from "@/lib/contract/operations/calls/completions";
import type { Connection, LooseRequest } from "../gateway/gateway-request";
import type { ChatEvent } from "./chat-event";
import { describeBrokenAnswer, openAnswer } from "./open-answer";
import { readMediaReply } from "./read-media-reply";

import { createTask } from "./stream-task";

/** The families of models that answer other calls than chats. */
export type OtherFamily = Exclude<ModelFamily, "chat">;

interface MediaCall {
  readonly family: OtherFamily;
  readonly body: Readonly<Record<string, unknown>>;
  /** The recording of a transcription. */
  readonly recording?: File | undefined;
  /** True to translate a recording into English. */
  readonly translates?: boolean | undefined;
  readonly projectId: string | null;
  /** The id of a key whose scopes and limits apply. */
  readonly runAs?: string | undefined;
}

/**
 * Makes a call to a model that isn't a chat model, as a program would: a task for what takes a while, and a reply for
 * the rest. Aborting the signal closes the connection; a task goes on unless it was aborted before its id was known.
 * @throws when the signal aborts.
 */
export async function* streamMedia(
  connection: Connection,
  call: MediaCall,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const { family, projectId, runAs } = call;
  const headers: Record<string, string> = {
    ...(projectId !== null && { "openai-project": projectId }),
    ...(runAs !== undefined && { [RUN_AS_HEADER]: runAs }),
  };
  if (isMediaFamily(family)) yield* createTask(connection, { body: call.body, headers }, signal);
  else yield* streamReply(connection, { ...call, family, headers }, signal);
}

type ReplyCall = MediaCall & { readonly headers: Record<string, string> };

async function* streamReply(
  connection: Connection,
  call: ReplyCall,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const operation = chooseOperation(call);
  const response = yield* openAnswer(connection, operation, { ...encodeCall(call), signal });
  if (!response) return;
  const requestId = response.headers.get("x-request-id");
  yield { type: "start", requestId, maxTokens: null };
  try {
    yield* readMediaReply(response, call.family);
  } catch (error) {
    if (signal.aborted) throw error;
    yield { type: "problem", problem: describeBrokenAnswer(error, requestId) };
  }
}

function chooseOperation({ family, translates }: MediaCall): Operation {
  if (family === "speech") return operations.createSpeech;
  if (family === "embedding") return operations.createEmbedding;
  if (family === "moderation") return operations.createModeration;
  return translates ? operations.createTranslation : operations.createTranscription;
}

/** A recording goes as a form, and every other call as JSON. */
function encodeCall({ body, headers, recording, family }: ReplyCall): LooseRequest {
  if (family !== "transcription") return { body, headers };
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.set(name, String(value));
  if (recording) form.set("file", recording, recording.name);
  return { raw: { body: form }, headers };
}
