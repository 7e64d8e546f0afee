import type { RequestAttempt } from "@/lib/contract/operations/calls/receipt-parts";
import type { Clock } from "../../effects";
import { writeReceiptDetails } from "../../log/receipt-details";
import type { CatalogueModel } from "../../models/catalogue";
import type { ProviderDirectory } from "../../models/providers/provider-directory";
import { explainFailure } from "../../providers/explain-failure";
import type { ProviderConnection } from "../../providers/provider-connection";
import type { ProviderLinks } from "../../providers/provider-links";
import { findNamedField, listAddedFields, type RefusedField } from "../../providers/refused-fields";
import type { Refusal } from "../../refusal";
import type { OpenHold } from "../holds/open-hold";
import { describeAttempt, describeSettings } from "../receipts/describe-attempt";
import type { ReplyReader } from "../replies/reply-reader";
import { readMaxTokens } from "../requests/chat-request";
import type { IncomingCall } from "../requests/incoming-call";
import { findOutputLimit, type OutputLimit } from "../requests/output-limit";
import type { CompletionRequest } from "../requests/prepared-request";
import { buildCompletionHeaders } from "./build-completion-headers";

const ONCE = { once: true };

/** A call that was admitted and whose hold is on disk, while it is answered. */
export class AdmittedCall {
  #relay: { endAccess(): void } | null = null;
  /** The failed attempts before the present one. */
  #failed: RequestAttempt[] | null = null;
  /** The fields that the connected provider has refused in this call. */
  #refusedFields: RefusedField[] = [];
  #stopsWithClient = false;
  readonly #startedAtMs: number;

  constructor(
    private readonly clock: Clock,
    readonly incoming: IncomingCall<CompletionRequest>,
    readonly model: CatalogueModel,
    readonly hold: OpenHold,
    /** The connection to a provider; replaced when the call is retried. */
    public connection: ProviderConnection,
  ) {
    this.#startedAtMs = connection.startedAtMs;
    connection.assignTo(this);
  }

  /** The relay of its reply; null until the reply is streamed. */
  get relay(): { endAccess(): void } | null {
    return this.#relay;
  }

  /** Milliseconds since its first connection was reserved. */
  get elapsedMs(): number {
    return this.clock.monotonicMs() - this.#startedAtMs;
  }

  streamThrough(relay: { endAccess(): void }): void {
    this.#relay = relay;
  }

  /** Continues with another connection after a failed attempt. */
  retryOn(next: ProviderConnection): void {
    this.#failed ??= [];
    this.#failed.push(describeAttempt(this.connection, this.#startedAtMs, next.startedAtMs));
    if (next.route !== this.connection.route) this.#refusedFields = [];
    this.connection = next;
    next.assignTo(this);
    this.stopWithClient();
  }

  /** Continues with another connection to the same provider, and without a field that it has refused. */
  repeatWithout(field: RefusedField, next: ProviderConnection): void {
    this.retryOn(next);
    this.#refusedFields.push(field);
  }

  /** The provider has taken the call: what was left out of it is left out of later ones, too. */
  noteTaken(): void {
    if (this.#refusedFields.length > 0) this.connection.link.refusedFields.note(this.#refusedFields);
  }

  /** A field that the gateway added and the provider refuses by name, so that the call can be repeated without it. */
  findRefusedField(words: string): RefusedField | null {
    const { outputLimitField, leftOut } = this.#sentFields();
    const isUsualLimit = outputLimitField === this.connection.link.outputLimitField;
    const isChat = this.incoming.request.endpoint === "chat/completions";
    const limits = isChat && isUsualLimit && this.outputLimit.sent !== null ? [outputLimitField] : [];
    const added = this.#addedFields().filter((field) => !leftOut.includes(field));
    return findNamedField(words, [...added, ...limits]);
  }

  #addedFields() {
    const { endpoint, message, embeddingForm } = this.incoming.request;
    const isTranslated = message !== undefined;
    const isBase64 = embeddingForm === "base64";
    return listAddedFields(endpoint, { stream: this.hold.stream, isTranslated, isBase64 });
  }

  #sentFields() {
    return this.connection.link.refusedFields.chooseFields(this.#addedFields(), this.#refusedFields);
  }

  /**
   * Ends the call when its client disconnects. With an idempotency key it continues, so that a repeat finds the reply.
   * The server makes the client's signal when it is first read, so a call that ends within 50 ms never reads it.
   */
  stopWithClient(): void {
    if (this.#stopsWithClient || this.hold.idempotencyLock) return;
    this.#stopsWithClient = true;
    const { clientSignal } = this.incoming.exchange;
    if (clientSignal.aborted) this.handleEvent();
    else clientSignal.addEventListener("abort", this, ONCE);
  }

  /** The details for its receipt. */
  writeReceiptDetails(): string {
    const { client, request } = this.incoming;
    const attempts = [...(this.#failed ?? []), describeAttempt(this.connection, this.#startedAtMs, null)];
    const { checkFigures: checks } = this.hold.admission;
    const settings = describeSettings(request.fields, request.leftOut, this.outputLimit);
    return writeReceiptDetails({ client, settings, checks, attempts });
  }

  /** The calling key or session. */
  get callerId(): string {
    return this.incoming.caller.id;
  }

  /** Whether the caller asked for usage at the end of the stream. */
  get wantsUsage(): boolean {
    return this.incoming.request.fields.stream_options?.include_usage === true;
  }

  /** The output limit of one choice. */
  get outputLimit(): OutputLimit {
    return findOutputLimit(this.hold.admission, this.model, readMaxTokens(this.incoming.request.fields));
  }

  /** The body for the connected provider. */
  upstreamBody(): ReturnType<CompletionRequest["upstream"]> {
    const { route, link } = this.connection;
    const { sent: maxTokens } = this.outputLimit;
    const fields = this.#sentFields();
    const isUsualLimit = fields.outputLimitField === link.outputLimitField || maxTokens === null;
    this.connection.leftOut = isUsualLimit ? fields.leftOut : [...fields.leftOut, link.outputLimitField];
    const { baseUrl } = link;
    return this.incoming.request.upstream({ baseUrl, model: route.model, maxTokens, ...fields });
  }

  /** The reply's headers. */
  headers(contentType: string): Record<string, string> {
    const { requestId, admission, stream } = this.hold;
    const headers = buildCompletionHeaders(requestId, admission.rateLimits, this.clock);
    headers["content-type"] = contentType;
    headers["x-gatehouse-route"] = formatRoute(this.connection.route);
    if (stream) headers["cache-control"] = "no-cache";
    if (contentType !== "application/json") headers["x-accel-buffering"] = "no";
    const { sent, loweredBy } = this.outputLimit;
    if (loweredBy) headers["x-gatehouse-max-tokens"] = String(sent);
    return headers;
  }

  /** The failure with the words and figures that the caller may see. */
  asCallerSees(failure: Refusal): Refusal {
    return explainFailure(failure, this.connection.route).asSeenBy(this.incoming.caller.permissionsIn);
  }

  /** Called when the client disconnects. */
  handleEvent(): void {
    this.connection.cut("client gone");
  }
}

export interface AnswerContext {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly links: ProviderLinks;
  readonly replyReader: ReplyReader;
  /** Receives the reasons of provider failures, and internal errors, which callers see as a broken stream. */
  logFault(requestId: string, error: unknown): void;
}

/** The provider and its name of the model, such as `openai/gpt-5-mini`; characters beyond ASCII are encoded. */
function formatRoute({ provider, model }: ProviderConnection["route"]): string {
  const route = Buffer.from(`${provider}/${model}`).toString();
  return route.replaceAll(/[^!-$&-~]+/g, encodeURIComponent);
}
