import { installPlainMessages } from "@/lib/contract/describe-issue";
import { joinPieces } from "../../http/body-reader";
import { lowerThreadPriority } from "../../http/worker-client";
import { Refusal } from "../../refusal";
import type { RequestFields } from "./prepared-request";
import {
  type ReadCompletion,
  readRequest,
  type ThreadAnswer,
  type ThreadQuestion,
  type TranslationFacts,
} from "./request-reader";

/**
 * The thread that parses long requests one at a time, with the same functions that parse short ones on the event loop.
 */
declare const self: Worker;

lowerThreadPriority();
installPlainMessages();
const requestsById = new Map<number, ReadCompletion>();
const encoder = new TextEncoder();

self.onmessage = ({ data }: MessageEvent<ThreadQuestion>) => {
  if (data.kind === "release") {
    requestsById.delete(data.id);
    return;
  }
  const answer = answerQuestion(data);
  self.postMessage(answer, answer.kind === "upstream" ? [answer.bytes.buffer] : []);
};

function answerQuestion(question: Exclude<ThreadQuestion, { kind: "release" }>): ThreadAnswer {
  try {
    return question.kind === "read" ? read(question) : ask(question);
  } catch (error) {
    if (!(error instanceof Refusal)) return { kind: "fault", reason: String(error) };
    const { status, type, code, message, details } = error;
    return { kind: "refused", refusal: { status, type, code, message, details } };
  }
}

function read({ id, pieces, options, entries }: Extract<ThreadQuestion, { kind: "read" }>): ThreadAnswer {
  const request = readRequest(joinPieces(pieces), options, { entries });
  const { answeredBy, endpoint, bodyHash } = request;
  const fields = pickShortFields(request.fields);
  if (answeredBy === "task") return { kind: "read", read: { answeredBy, endpoint, fields, bodyHash } };
  requestsById.set(id, request);
  const { protocol, embeddingForm, session } = request;
  const head = { answeredBy, endpoint, protocol, fields, bodyHash, embeddingForm, session };
  return { kind: "read", read: head };
}

function ask(question: Extract<ThreadQuestion, { kind: "estimate" | "upstream" }>): ThreadAnswer {
  const request = requestsById.get(question.id);
  if (!request) throw new Error(`Request ${question.id} is not kept here`);
  if (question.kind === "estimate") {
    const estimate = request.estimate(question.counting);
    return { kind: "estimate", estimate, translated: pickTranslation(request) };
  }
  const bytes = encoder.encode(request.upstream(question.terms));
  return { kind: "upstream", bytes, translated: pickTranslation(request) };
}

function pickTranslation({ message, response, chatReply, leftOut }: ReadCompletion): TranslationFacts {
  return { message, response, chatReply, leftOut };
}

/** The fields that a call needs. The others may be as long as the body. */
function pickShortFields({
  model,
  stream,
  stream_options,
  max_tokens,
  max_completion_tokens,
  n,
  temperature,
  callback_url,
}: RequestFields): RequestFields {
  const include_usage = stream_options?.include_usage;
  return {
    model,
    stream,
    stream_options: stream_options && { include_usage },
    max_tokens,
    max_completion_tokens,
    n,
    temperature,
    callback_url,
  };
}
