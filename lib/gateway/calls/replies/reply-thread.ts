import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import type { EmbeddingForm } from "@/lib/contract/operations/calls/embeddings";
import { joinPieces } from "../../http/body-reader";
import { readEventData } from "../../http/event-splitter";
import { parseBounded, refuseBeyondBounds } from "../../http/json";
import { lowerThreadPriority } from "../../http/worker-client";
import { pickMessageParts } from "../anthropic/message-events";
import { type ChatCompletion, translateReply } from "../anthropic/translate-reply";
import { writeResponse } from "../responses/response-events";
import {
  convertEmbeddings,
  decodeText,
  findPlaces,
  parseCompletion,
  type ReplyKind,
  toChatReply,
  toWholeReply,
  writeReplyEvents,
} from "./completion";
import type { ReplyAnswer, ReplyQuestion } from "./reply-reader";
import { findModelPlace, type ParsedEvent } from "./stream-event";
import { eventForms } from "./stream-meter";

/** The thread that parses long replies, with the same functions that parse short ones on the event loop. */
declare const self: Worker;

/** After a larger reply the garbage is collected at once; otherwise the heap grows by hundreds of megabytes. */
const LARGE_BYTES = 1024 * 1024;

lowerThreadPriority();
const encoder = new TextEncoder();

self.onmessage = ({ data }: MessageEvent<ReplyQuestion>) => {
  const isLarge = data.pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) > LARGE_BYTES;
  const answer = answerQuestion(data);
  self.postMessage(answer, "bytes" in answer ? [answer.bytes.buffer] : []);
  if (isLarge) setImmediate(() => Bun.gc(true));
};

function answerQuestion({ pieces, ...question }: ReplyQuestion): ReplyAnswer {
  try {
    refuseBeyondBounds(pieces);
    const bytes = joinPieces(pieces) as Uint8Array<ArrayBuffer>;
    switch (question.kind) {
      case "completion":
        return readCompletion(toWholeReply(bytes), question);
      case "message": {
        const message = translateReply(parseBounded(decodeText(bytes)) as ChatCompletion, question.options);
        return { kind: "message", bytes: encoder.encode(JSON.stringify(message)) };
      }
      case "response": {
        const { reply, nowS } = question;
        const completion = parseBounded(decodeText(bytes)) as ChatCompletion;
        const response = writeResponse(completion, reply, () => nowS);
        return { kind: "response", bytes: encoder.encode(JSON.stringify(response)) };
      }
      case "chat":
        return { kind: "chat", bytes: toChatReply(bytes, question.reply) };
      case "events": {
        const events = writeReplyEvents(parseBounded(decodeText(bytes)), question.protocol);
        return { kind: "events", bytes: encoder.encode(events) };
      }
      case "event":
        return { kind: "event", parsed: parseLongEvent(Buffer.from(bytes), question.protocol) };
      case "chunk":
        return {
          kind: "chunk",
          chunk: pickMessageParts(parseBounded(readEventData(Buffer.from(bytes)) ?? "")),
        };
    }
  } catch (error) {
    return { kind: "unreadable", reason: String(error) };
  }
}

function readCompletion(
  bytes: Uint8Array<ArrayBuffer>,
  { endpoint, form }: { endpoint: ReplyKind; form: EmbeddingForm | undefined },
): ReplyAnswer {
  const sent = decodeText(bytes);
  const reply = parseBounded(sent);
  const parsed = parseCompletion(endpoint, reply);
  const text = form && convertEmbeddings(reply, form) ? JSON.stringify(reply) : sent;
  // Places are byte offsets into the text, and invalid UTF-8 would change the number of bytes.
  const isAsSent = text === sent && Buffer.byteLength(text) === bytes.byteLength;
  const passedOn = isAsSent ? bytes : encoder.encode(text);
  return { kind: "completion", parsed, places: findPlaces(text), bytes: passedOn };
}

function parseLongEvent(event: Buffer, protocol: ProviderProtocol): ParsedEvent {
  const parsed = eventForms[protocol].parse(event, parseBounded);
  return protocol === "chat" && parsed.kind === "chunk"
    ? { ...parsed, modelPlace: findModelPlace(event) }
    : parsed;
}
