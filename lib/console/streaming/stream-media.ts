import { isMediaFamily, type ModelFamily } from "@/lib/contract/model-families";
import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operation-table";
import { RUN_AS_HEADER } from "@/lib/contract/operations/completions";
import { buildRefusal, buildUnreachable } from "../gateway/build-failure";
import type { Connection } from "../gateway/gateway-request";
import { readReply } from "../gateway/read-reply";
import { buildRequestUrl } from "../gateway/request-url";
import { dispatch } from "../gateway/send-request";
import type { ChatEvent } from "./chat-event";
import { readMediaReply } from "./read-media-reply";
import { describeRawReply } from "./stream-chat";
import { createTask } from "./stream-task";

/** The families of models that answer other calls than chats. */
export type OtherFamily = Exclude<ModelFamily, "chat">;

export interface MediaCall {
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
 * Makes a call to a model that isn't a chat model, as a program would: a task for what takes a while, and a reply for the
 * rest. Aborting the signal closes the connection; a task goes on unless it was aborted before its id was known.
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
  let response: Response;
  try {
    response = await send(connection, operation, call, signal);
  } catch (error) {
    if (!signal.aborted) yield { type: "problem", problem: buildUnreachable(connection, error) };
    return;
  }
  if (!response.ok) {
    const refusal = await readReply(response).catch(() => undefined);
    yield describeRawReply(response, JSON.stringify(refusal, null, 2) ?? "");
    yield { type: "problem", problem: buildRefusal(response, refusal, operation, {}) };
    return;
  }
  yield { type: "start", requestId: response.headers.get("x-request-id"), maxTokens: null };
  try {
    yield* readMediaReply(response, call.family);
  } catch (error) {
    if (signal.aborted) throw error;
    yield { type: "problem", problem: buildUnreachable(connection, error) };
  }
}

function chooseOperation({ family, translates }: MediaCall): Operation {
  if (family === "speech") return operations.createSpeech;
  if (family === "embedding") return operations.createEmbedding;
  if (family === "moderation") return operations.createModeration;
  return translates ? operations.createTranslation : operations.createTranscription;
}

function send(
  connection: Connection,
  operation: Operation,
  { body, headers, recording, family }: ReplyCall,
  signal: AbortSignal,
): Promise<Response> {
  if (family !== "transcription") return dispatch(connection, operation, { body, headers, signal });
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.set(name, String(value));
  if (recording) form.set("file", recording, recording.name);
  return fetch(buildRequestUrl(connection.url, operation, {}), {
    method: operation.method,
    headers: {
      ...connection.headers,
      ...headers,
      ...(connection.token !== null && { authorization: `Bearer ${connection.token}` }),
    },
    body: form,
    signal,
    cache: "no-store",
    redirect: "manual",
  });
}
