import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import type { RequestSettings } from "@/lib/contract/operations/calls/receipt-parts";
import type { CatalogueModel } from "../../models/catalogue";
import { DEFAULT_CONTEXT_WINDOW } from "../../providers/prompt-size/estimate-prompt";
import type { ProviderConnection } from "../../providers/provider-connection";
import { findNamedField, listAddedFields, type RefusedField } from "../../providers/refused-fields";
import type { Admission } from "../../rate-limits/admissions";
import type { RequestHeaders } from "../../request-headers";
import { readMaxTokens, sessionHeaders } from "./chat-request";
import type { CompletionRequest } from "./prepared-request";

const UNNAMED_LIMIT = 4_096;

/** The request as providers get it: with the output limit that the hold covers, and without fields that they refuse. */
export class UpstreamRequest {
  /** The fields that the connected provider has refused in this call. */
  #refusedFields: RefusedField[] = [];

  constructor(
    private readonly request: CompletionRequest,
    private readonly admission: Admission,
    private readonly model: CatalogueModel,
  ) {}

  /** The output limit of one choice. */
  get outputLimit(): OutputLimit {
    return findOutputLimit(this.admission, this.model, readMaxTokens(this.request.fields));
  }

  /** The body for the connected provider. @throws Refusal 503 once the text is lost. */
  write(connection: ProviderConnection): ReturnType<CompletionRequest["upstream"]> {
    const { route, link } = connection;
    const { sent } = this.outputLimit;
    const protocol = this.protocolAt(connection);
    // Messages need a limit. Where nobody has named one, no model of Anthropic's refuses this one.
    const usual = protocol === "messages" ? Math.min(this.admission.maxOutputTokens, UNNAMED_LIMIT) : null;
    const maxTokens = sent ?? usual;
    const fields = this.#chooseFields(connection);
    const isUsualLimit = fields.outputLimitField === link.outputLimitField || maxTokens === null;
    const added = this.#addedFields(connection);
    const leftOut = fields.leftOut.filter((field) => added.includes(field));
    connection.leftOut = isUsualLimit ? leftOut : [...leftOut, link.outputLimitField];
    const { baseUrl, account } = link;
    return this.request.upstream({ protocol, baseUrl, account, model: route.model, maxTokens, ...fields });
  }

  /** The protocol in which a provider is asked: the client's own where the provider speaks it. */
  protocolAt({ link }: ProviderConnection): ProviderProtocol {
    return link.chooseProtocol(this.request.protocol ?? "chat");
  }

  /** A field that the gateway added and the provider refuses by name, so that the call can be repeated without it. */
  findRefusedField(words: string, connection: ProviderConnection): RefusedField | null {
    const { outputLimitField, leftOut, skipsSignatures } = this.#chooseFields(connection);
    const isUsualLimit = outputLimitField === connection.link.outputLimitField;
    const isChat = this.request.endpoint === "chat/completions" && this.protocolAt(connection) === "chat";
    const limits = isChat && isUsualLimit && this.outputLimit.sent !== null ? [outputLimitField] : [];
    const added = this.#addedFields(connection).filter((field) => !leftOut.includes(field));
    const isTranslated = this.request.protocol !== "chat" && isChat;
    const signature = isTranslated && !skipsSignatures ? (["thought_signature"] as const) : [];
    return findNamedField(words, [...added, ...limits, ...signature]);
  }

  /** The call goes on after a failed attempt: without `field`, if that was refused, or by another route. */
  noteRefused(field: RefusedField | null, failed: ProviderConnection, next: ProviderConnection): void {
    if (next.route !== failed.route) this.#refusedFields = [];
    if (field) this.#refusedFields.push(field);
  }

  /** The provider has taken the call: what was left out of it is left out of later ones, too. */
  noteTaken({ link, route }: ProviderConnection): void {
    if (this.#refusedFields.length > 0) link.refusedFields.note(route.model, this.#refusedFields);
  }

  #addedFields(connection: ProviderConnection) {
    const { endpoint, protocol, embeddingForm, fields } = this.request;
    const sent = this.protocolAt(connection);
    const isTranslated = protocol !== undefined && protocol !== sent;
    return listAddedFields({
      endpoint,
      stream: fields.stream === true,
      translatedTo: isTranslated ? sent : null,
      isPassedOn: sent !== "chat" && !isTranslated,
      isBase64: embeddingForm === "base64",
    });
  }

  #chooseFields(connection: ProviderConnection) {
    const { link, route } = connection;
    return link.refusedFields.chooseFields(route.model, this.#addedFields(connection), this.#refusedFields);
  }
}

/** The output limit of one choice of an admitted call. */
export interface OutputLimit {
  /** What the provider is told. Null where nobody has named a limit, and a whole window of output is held for. */
  readonly sent: number | null;
  /** What made it less than was asked for; null if nothing did. */
  readonly loweredBy: RequestSettings["lowered_by"];
}

type ModelBounds = Pick<CatalogueModel, "maxOutputTokens" | "contextWindow" | "typicalOutputTokens">;

/**
 * The most output that a call may have, before the balance is asked: what its client asks for, at most what the model
 * writes. Without either, the context window bounds it.
 */
export function findMostOutput(
  { maxOutputTokens, contextWindow, typicalOutputTokens }: ModelBounds,
  asked: number | null,
  promptTokens: number,
): number {
  if (asked !== null) return Math.min(asked, maxOutputTokens ?? contextWindow ?? asked);
  if (maxOutputTokens === null) return contextWindow ?? DEFAULT_CONTEXT_WINDOW;
  if (contextWindow === null) return maxOutputTokens;
  return Math.min(maxOutputTokens, Math.max(contextWindow - promptTokens, typicalOutputTokens));
}

/** The limit that an admitted call has, of what its client asked for. */
function findOutputLimit(
  { maxOutputTokens, request }: Pick<Admission, "maxOutputTokens" | "request">,
  model: Pick<CatalogueModel, "maxOutputTokens">,
  asked: number | null,
): OutputLimit {
  if (maxOutputTokens < request.maxOutputTokens) return { sent: maxOutputTokens, loweredBy: "balance" };
  if (asked !== null) return { sent: maxOutputTokens, loweredBy: maxOutputTokens < asked ? "model" : null };
  return { sent: model.maxOutputTokens === null ? null : maxOutputTokens, loweredBy: null };
}

/** The headers of a client that are sent on, by the protocol that it shares with the provider. */
const passedOn: Readonly<Record<ProviderProtocol, readonly string[]>> = {
  chat: ["openai-beta", ...sessionHeaders],
  responses: ["openai-beta", ...sessionHeaders],
  messages: ["anthropic-version", "anthropic-beta", "x-claude-code-session-id", ...sessionHeaders],
};

/** Undefined where the client sends none of them. */
export function pickPassedHeaders(
  headers: RequestHeaders,
  protocol: ProviderProtocol,
): Readonly<Record<string, string>> | undefined {
  let picked: Record<string, string> | undefined;
  for (const name of passedOn[protocol]) {
    const value = headers.get(name);
    if (value === null) continue;
    picked ??= {};
    picked[name] = value;
  }
  return picked;
}
