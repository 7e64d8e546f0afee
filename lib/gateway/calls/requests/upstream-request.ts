import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import type { RequestAttempt, RequestSettings } from "@/lib/contract/operations/calls/receipt-parts";
import { GatheredPieces, joinPieces } from "../../http/body-reader";
import { isBlank } from "../../http/json";
import type { ServerReply } from "../../http/outbound/server-reply";
import type { CatalogueModel } from "../../models/catalogue";
import { DEFAULT_CONTEXT_WINDOW } from "../../providers/prompt-size/estimate-prompt";
import type { ProviderRequest } from "../../providers/provider-client";
import type { ConnectionWatcher, ProviderConnection } from "../../providers/provider-connection";
import {
  findMisconfiguredStatus,
  MAX_ERROR_BYTES,
  providerAnsweredOddly,
  readReplyRefusal,
} from "../../providers/provider-failure";
import {
  FieldRefusal,
  findNamedField,
  listAddedFields,
  type RefusedField,
} from "../../providers/refused-fields";
import type { Admission } from "../../rate-limits/admissions";
import type { Refusal } from "../../refusal";
import type { RequestHeaders } from "../../request-headers";
import { readMaxTokens, sessionHeaders } from "./chat-request";
import type { CompletionRequest, RequestFields } from "./prepared-request";

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

  /** The headers of the client that the connected provider gets; undefined where it sends none of them. */
  pickHeaders(headers: RequestHeaders, connection: ProviderConnection) {
    return pickPassedHeaders(headers, this.protocolAt(connection));
  }

  /** What receipts say of the request. */
  describe(): RequestSettings {
    return describeSettings(this.request.fields, this.request.leftOut, this.outputLimit);
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
interface OutputLimit {
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

/**
 * Fewer bytes don't count as progress, unless they are the first, or blanks, which providers send to keep a connection
 * open.
 */
const PROGRESS_BYTES = 1024;

interface SentCall {
  readonly request: ProviderRequest;
  /** Resolves once the provider is known to accept connections; null where it has answered lately. */
  readonly reaching: Promise<void> | null;
  readonly watcher: ConnectionWatcher;
  /** The field of the gateway that a refusal of the request names; null for none. */
  findRefusedField(words: string): RefusedField | null;
}

/**
 * Sends a request and waits for a reply of 200 or its like.
 * @throws Refusal for any other status, a `FieldRefusal` for a field of the gateway; and the connection's own errors.
 */
export async function fetchReply(
  connection: ProviderConnection,
  { request, reaching, watcher, findRefusedField }: SentCall,
): Promise<ServerReply> {
  const { link, route } = connection;
  let reply: ServerReply;
  try {
    if (reaching) {
      await reaching;
      connection.noteReached();
    }
    reply = await connection.send(request, watcher);
  } catch (error) {
    const failure = connection.describeFailure(error);
    connection.noteFailure(failure);
    throw failure;
  }
  connection.noteAnswered(reply);
  if (reply.status >= 200 && reply.status < 300) {
    link.misconfigurations.forget(route.model);
    return reply;
  }
  const error = await readBounded(reply, MAX_ERROR_BYTES).catch(() => []);
  const text = new TextDecoder().decode(joinPieces(error));
  const refusal = readReplyRefusal(reply, text, link.clock.nowMs(), connection.client);
  const misconfigured = findMisconfiguredStatus(refusal);
  if (misconfigured) link.misconfigurations.note(route.model, misconfigured);
  link.keys.noteRefusal(connection.key, route.model, refusal);
  const isProvidersFault = reply.status >= 500;
  connection.noteFailure(refusal, { isProvidersFault });
  if (!isProvidersFault) connection.noteSuccess();
  const field = reply.status === 400 || reply.status === 422 ? findRefusedField(text) : null;
  throw field ? new FieldRefusal(refusal, field) : refusal;
}

/** Observes a reply while it is read. */
export interface ReplyWatcher {
  progress(): void;
  /**
   * Null where there is memory for this many bytes; otherwise resolves once there is.
   * @throws Refusal 503 after too long a wait.
   */
  makeRoom(bytes: number): Promise<void> | null;
}

/** Reads a whole body; a long one in blocks. @throws Refusal 502 beyond `limit` bytes. */
export async function readBounded(
  reply: ServerReply,
  limit: number,
  watched?: ReplyWatcher,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  if (reply.contentLength !== null && reply.contentLength > limit) throw tooLong(limit);
  const gathered = new GatheredPieces();
  let progressAt = 0;
  for (;;) {
    const next = reply.read();
    const piece = next instanceof Promise ? await next : next;
    if (piece === null) return gathered.end();
    const size = gathered.bytes + piece.byteLength;
    if (gathered.bytes === 0 || size - progressAt >= PROGRESS_BYTES || piece.every(isBlank)) {
      progressAt = size;
      watched?.progress();
    }
    if (size > limit) throw tooLong(limit);
    const makingRoom = watched?.makeRoom(size);
    if (makingRoom) await makingRoom;
    gathered.add(piece);
  }
}

function tooLong(limit: number): Refusal {
  return providerAnsweredOddly(`The provider sent more than ${limit} bytes`);
}

const MAX_ID_LENGTH = 100;

/** @param limit of an admitted call; null where none was sent. */
export function describeSettings(
  fields: RequestFields,
  leftOut: readonly string[] = [],
  limit: OutputLimit | null = null,
): RequestSettings {
  const lowered_by = limit?.loweredBy ?? null;
  const { savedPrompt } = fields;
  return {
    max_tokens: readMaxTokens(fields),
    temperature: fields.temperature ?? null,
    left_out: leftOut.length > 0 ? [...leftOut] : null,
    lowered_to: lowered_by && (limit?.sent ?? null),
    lowered_by,
    prompt: savedPrompt ? { id: savedPrompt.id, number: Number(savedPrompt.version) } : null,
  };
}

/**
 * An attempt in the form of receipts. Times are on the monotonic clock, as are those of its call.
 * @param endedAtMs null where it ended with its call.
 */
export function describeAttempt(
  connection: ProviderConnection,
  callStartedAtMs: number,
  endedAtMs: number | null,
): RequestAttempt {
  const { route, startedAtMs, reachedAtMs, sentAtMs, answeredAtMs, reply, failure, leftOut } = connection;
  return {
    provider: route.provider,
    model: route.model,
    started_ms: Math.round(startedAtMs - callStartedAtMs),
    reached_ms: computeMsSince(callStartedAtMs, reachedAtMs),
    sent_ms: computeMsSince(callStartedAtMs, sentAtMs),
    answered_ms: computeMsSince(callStartedAtMs, answeredAtMs),
    ended_ms: computeMsSince(callStartedAtMs, endedAtMs),
    status: reply?.status ?? null,
    failure: failure,
    provider_request_id:
      (reply?.header("x-request-id") ?? reply?.header("request-id") ?? null)?.slice(0, MAX_ID_LENGTH) ?? null,
    left_out: [...leftOut],
  };
}

function computeMsSince(startedAtMs: number, ms: number | null): number | null {
  return ms === null ? null : Math.round(ms - startedAtMs);
}
