import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import { type ResponseRequest, responseRequest } from "@/lib/contract/operations/calls/responses";
import { type JsonObject, scanObject } from "../../http/json";
import { parseWith } from "../../http/parse-with";
import type { PromptTexts } from "../../providers/prompt-size/prompt-texts";
import { toOrigin } from "../anthropic/returned-parts";
import { SKIPPED_SIGNATURE } from "../anthropic/translate-messages";
import { type ChatAims, readResponseRequest } from "../responses/read-response-request";
import type { ResponseFacts } from "../responses/response-facts";
import { PreparedChatRequest, parseChatRequest } from "./chat-request";
import { findBodySession } from "./find-session";
import type { CompletionRequest, Counting, RequestEstimate, RequestFields, Terms } from "./prepared-request";

/** A request of the Responses API as a chat, priced with all that earlier answers gave back. */
interface Translation {
  readonly chat: PreparedChatRequest;
  readonly facts: ResponseFacts;
  readonly leftOut: readonly string[];
  readonly origins: ReadonlySet<string>;
}

/** A request of OpenAI's Responses API. It is sent as a chat or as a message, and each server gets what it gave. */
export class PreparedResponseRequest implements CompletionRequest {
  readonly answeredBy = "provider";
  readonly endpoint = "chat/completions";
  readonly protocol = "responses";
  readonly fields: RequestFields;
  chatReply: CompletionRequest["chatReply"];
  leftOut: CompletionRequest["leftOut"];
  readonly #request: ResponseRequest;
  #translation: Translation | null = null;

  /** @throws Refusal 400 naming the first invalid field. */
  constructor(
    { value }: JsonObject,
    readonly bodyHash: string | null,
  ) {
    this.#request = parseWith(responseRequest, value);
    const { model, stream, max_output_tokens, temperature } = this.#request;
    this.fields = {
      model,
      stream,
      max_completion_tokens: max_output_tokens,
      temperature,
      ...(stream && { stream_options: { include_usage: true } }),
    };
  }

  get session(): string | null {
    return findBodySession(this.#request);
  }

  get response(): ResponseFacts | undefined {
    return this.#translation?.facts;
  }

  /** @throws Refusal 400 for what has no price, or can't be told. */
  estimate(counting: Counting): RequestEstimate {
    return this.#translate().chat.estimate(counting);
  }

  promptTexts(): PromptTexts {
    return this.#translate().chat.promptTexts();
  }

  /** @throws Refusal 400 for what can't be told. */
  upstream(terms: Terms): string {
    const { origins } = this.#translate();
    const own = toOrigin(terms.baseUrl);
    const isAsPriced = terms.protocol === "chat" && !terms.skipsSignatures;
    const isOwn = [...origins].every((origin) => origin === own);
    const sent =
      isAsPriced && isOwn
        ? this.#translate()
        : this.#translateFor({
            accepts: (origin) => origin === own,
            keepsSealedIds: terms.protocol === "messages",
            ...(terms.skipsSignatures && { unsigned: SKIPPED_SIGNATURE }),
          });
    const text = sent.chat.upstream(terms);
    this.chatReply = sent.chat.chatReply;
    this.leftOut = [...new Set([...sent.leftOut, ...(sent.chat.leftOut ?? []).map(toResponseName)])];
    return text;
  }

  #translate(): Translation {
    this.#translation ??= this.#translateFor({ accepts: () => true, keepsSealedIds: false });
    return this.#translation;
  }

  #translateFor(aims: ChatAims): Translation {
    const { chat, facts, leftOut, origins } = readResponseRequest(this.#request, aims);
    const text = JSON.stringify(chat);
    const value = chat as unknown as ChatCompletionRequest;
    const prepared = new PreparedChatRequest(parseChatRequest({ text, value, scanned: scanObject(text) }));
    return { chat: prepared, facts, leftOut, origins };
  }

  release(): void {}
}

/** The names that fields of a chat have in a response. */
const responseNames: Readonly<Record<string, string>> = {
  messages: "input",
  response_format: "text.format",
  verbosity: "text.verbosity",
  reasoning_effort: "reasoning.effort",
  max_completion_tokens: "max_output_tokens",
};

function toResponseName(name: string): string {
  const [first = "", ...rest] = name.split(".");
  return [responseNames[first] ?? first, ...rest].join(".");
}
