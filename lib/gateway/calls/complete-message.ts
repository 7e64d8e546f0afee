import { LEFT_OUT_HEADER } from "@/lib/contract/operations/calls/completions";
import { EventSplitter } from "../http/event-splitter";
import { KnownResponse, respondWith } from "../http/known-response";
import { answerOnce, type OnceContext } from "./answer-once";
import { MessageEvents, type MessageStream } from "./anthropic/message-events";
import { toOrigin } from "./anthropic/returned-parts";
import type { MessageFacts } from "./anthropic/translate-request";
import { type CompletionContext, complete } from "./call";
import type { ReplyReader } from "./replies/reply-reader";
import { findCounting } from "./requests/counting";
import type { IncomingCall } from "./requests/incoming-call";
import type { CompletionRequest } from "./requests/prepared-request";

const noFacts: MessageFacts = { thinking: "off", hasTools: false, toolNames: {}, stops: [] };

/**
 * Answers a request of Anthropic's Messages API with a chat completion, which is priced and limited as one.
 * @throws Refusal as `complete`; the gateway writes its body in Anthropic's form.
 */
export async function completeMessage(
  context: OnceContext & CompletionContext,
  incoming: IncomingCall<CompletionRequest>,
): Promise<Response> {
  const { fields, message: asked, leftOut = [] } = incoming.request;
  const { requestId: ownId } = incoming.exchange;
  const model = context.catalogue.find(fields.model);
  const promptTokens =
    fields.stream && model
      ? (await incoming.request.estimate(findCounting(context.directory, model))).promptTokens
      : 0;
  // A replayed answer is taken for one of the model's first provider.
  let server = context.directory.find(model?.routes[0]?.provider ?? "")?.baseUrl ?? "";
  const noteAnswering = (baseUrl: string) => {
    server = baseUrl;
  };
  const reply = await answerOnce(context, incoming, (call) => complete(context, { ...call, noteAnswering }));
  reply.headers.set("request-id", ownId);
  if (leftOut.length > 0) reply.headers.set(LEFT_OUT_HEADER, leftOut.join(", "));
  // A replayed message keeps its id, which is derived from its request's.
  const requestId = reply.headers.get("original-request") ?? ownId;
  const facts = { ...(asked ?? noFacts), requestId, model: fields.model, origin: toOrigin(server) };
  if (fields.stream && reply.body) {
    const stream = { ...facts, promptTokens };
    const events = translateStream(reply.body, stream, context.replyReader);
    return new Response(events, { headers: reply.headers });
  }
  const knownResponse = reply instanceof KnownResponse ? reply : null;
  const onTaken = () => knownResponse?.onTaken();
  try {
    const pieces = knownResponse?.pieces ?? [await reply.bytes()];
    const message = await context.replyReader.translateReply(pieces, facts);
    return respondWith(message, { headers: reply.headers }, onTaken);
  } catch (error) {
    onTaken();
    throw error;
  }
}

/**
 * Translates a stream of `chat.completion.chunk` events to Anthropic's events. It ends where the completion's stream
 * ends.
 */
export function translateStream(
  chunks: ReadableStream<Uint8Array>,
  options: MessageStream,
  replyReader: ReplyReader,
): ReadableStream<Uint8Array> {
  const reader = chunks.getReader();
  const splitter = new EventSplitter();
  const events = new MessageEvents(options);
  return new ReadableStream({
    async pull(controller) {
      try {
        for (let text = ""; text === ""; ) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          for (const event of splitter.push(value)) {
            const reading = replyReader.readChunk(event);
            text += events.translate(reading instanceof Promise ? await reading : reading);
          }
          if (text !== "") controller.enqueue(Buffer.from(text));
        }
      } catch (error) {
        // Nobody cancels a stream that has failed, and the call would stay open.
        await reader.cancel(error).catch(() => {});
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
