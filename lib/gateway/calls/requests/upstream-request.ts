import type { CallProtocol } from "@/lib/contract/calls/provider-protocols";
import type { CatalogueModel } from "../../models/catalogue";
import type { ProviderConnection } from "../../providers/provider-connection";
import { findNamedField, listAddedFields, type RefusedField } from "../../providers/refused-fields";
import type { Admission } from "../../rate-limits/admissions";
import { readMaxTokens } from "./chat-request";
import { findOutputLimit, type OutputLimit } from "./output-limit";
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
    connection.leftOut = isUsualLimit ? fields.leftOut : [...fields.leftOut, link.outputLimitField];
    const { baseUrl } = link;
    return this.request.upstream({ protocol, baseUrl, model: route.model, maxTokens, ...fields });
  }

  /** The protocol in which a provider is asked: the client's own where the provider speaks it. */
  protocolAt({ link }: ProviderConnection): CallProtocol {
    return link.chooseProtocol(this.request.protocol ?? "chat");
  }

  /** A field that the gateway added and the provider refuses by name, so that the call can be repeated without it. */
  findRefusedField(words: string, connection: ProviderConnection): RefusedField | null {
    const { outputLimitField, leftOut } = this.#chooseFields(connection);
    const isUsualLimit = outputLimitField === connection.link.outputLimitField;
    const isChat = this.request.endpoint === "chat/completions" && this.protocolAt(connection) === "chat";
    const limits = isChat && isUsualLimit && this.outputLimit.sent !== null ? [outputLimitField] : [];
    const added = this.#addedFields(connection).filter((field) => !leftOut.includes(field));
    return findNamedField(words, [...added, ...limits]);
  }

  /** The call goes on after a failed attempt: without `field`, if that was refused, or by another route. */
  noteRefused(field: RefusedField | null, failed: ProviderConnection, next: ProviderConnection): void {
    if (next.route !== failed.route) this.#refusedFields = [];
    if (field) this.#refusedFields.push(field);
  }

  /** The provider has taken the call: what was left out of it is left out of later ones, too. */
  noteTaken({ link }: ProviderConnection): void {
    if (this.#refusedFields.length > 0) link.refusedFields.note(this.#refusedFields);
  }

  #addedFields(connection: ProviderConnection) {
    const { endpoint, protocol, embeddingForm, fields } = this.request;
    if (this.protocolAt(connection) === "messages") return [];
    const isTranslated = protocol === "messages";
    const isBase64 = embeddingForm === "base64";
    return listAddedFields(endpoint, { stream: fields.stream === true, isTranslated, isBase64 });
  }

  #chooseFields(connection: ProviderConnection) {
    const { refusedFields } = connection.link;
    return refusedFields.chooseFields(this.#addedFields(connection), this.#refusedFields);
  }
}
