import { HOUR_MS } from "@/lib/contract/durations";
import { isObject } from "@/lib/contract/json-value";
import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import type { Clock } from "../../clock";
import { EventSplitter, readEventData } from "../../http/event-splitter";
import { scanObject, spliceObject } from "../../http/json";
import type { OpenStreams } from "../../http/open-streams";
import { type RequestContext, type Socket, type SocketHandler, SocketResponse } from "../../http/server";
import { invalid, Refusal, retryAfter } from "../../refusal";
import { ConnectionResponses, type HeldCharacters, TurnRequest } from "./connection-responses";

/** How long a connection lasts, as with OpenAI. */
const LAST_MS = HOUR_MS;
/** Headers of the handshake, or of one call alone. */
const NOT_OF_TURNS = /^(?:connection|upgrade|sec-websocket-.+|content-.+|transfer-encoding|idempotency-key)$/;
const END = /"type"\s*:\s*"(?:response\.(?:completed|incomplete|failed)|error)"/;

const MAX_STREAM_ID = 512;

/** Codes with which a WebSocket is closed (RFC 6455, 7.4.1). */
const closing = { normal: 1000, goingAway: 1001, notAllowed: 1008 } as const;

interface SocketContext {
  readonly openStreams: OpenStreams;
}

/** The WebSockets over which responses are created. Call `sweep` about once a second. */
export class ResponseSockets {
  readonly #open = new Set<ResponseSocket>();
  readonly #held: HeldCharacters = { held: 0 };

  constructor(private readonly clock: Clock) {}

  /**
   * @param reader who connects, and from where.
   * @throws Refusal 429 where the key, its project or the address has too many connections, 405 for a request that
   * asks for none.
   */
  begin(
    { openStreams }: SocketContext,
    requestContext: RequestContext,
    reader: Parameters<OpenStreams["enter"]>[0],
  ): SocketResponse {
    if (requestContext.request.headers.get("upgrade")?.toLowerCase() !== "websocket") throw noHandshake();
    const leave = openStreams.enter(reader);
    const socket: ResponseSocket = new ResponseSocket(requestContext, {
      clock: this.clock,
      responses: new ConnectionResponses(this.#held),
      ending: openStreams.ending,
      onClosed: () => {
        leave();
        this.#open.delete(socket);
      },
    });
    this.#open.add(socket);
    return new SocketResponse(socket);
  }

  /** Ends connections that have lasted long enough, between their turns. */
  sweep(): void {
    for (const socket of this.#open) socket.endIfOld();
  }
}

interface SocketOptions {
  readonly clock: Clock;
  readonly responses: ConnectionResponses;
  /** Aborts when the gateway stops: the turn under way is the last. */
  readonly ending: AbortSignal;
  onClosed(): void;
}

/** What a client sends to begin a turn. */
interface TurnFrame {
  /** The request as it would be posted. */
  readonly body: string;
  /** Names the turn in its events; null for none. */
  readonly streamId: string | null;
  readonly previousId: string | null;
  /** Whether only its items are kept, to go on from. */
  readonly isWarmUp: boolean;
}

/** A turn under way. */
interface Turn {
  readonly left: AbortController;
  events?: ReadableStreamDefaultReader<Uint8Array>;
}

/**
 * Creates responses over a WebSocket, one after another. Each turn is a request of its own, made with the headers of
 * the handshake: authenticated, admitted, held, charged and logged as any other.
 */
class ResponseSocket implements SocketHandler {
  readonly #headers: Headers;
  readonly #url: string;
  readonly #requestId: string;
  readonly #openedAtMs: number;
  #socket: Socket | null = null;
  #answer: (request: Request) => Promise<Response> = () => Promise.reject(new Error("It is not open yet"));
  #turn: Turn | null = null;
  #onDrained: (() => void) | null = null;

  constructor(
    { request, requestId, url }: RequestContext,
    private readonly options: SocketOptions,
  ) {
    const isOfTurns = (name: string) => !NOT_OF_TURNS.test(name) && name !== KEEP_ANSWER_HEADER;
    this.#headers = new Headers([...request.headers].filter(([name]) => isOfTurns(name)));
    this.#headers.set("content-type", "application/json");
    this.#url = `${url.origin}${url.pathname.replace(/\/$/, "")}`;
    this.#requestId = requestId;
    this.#openedAtMs = options.clock.monotonicMs();
  }

  opened(socket: Socket, answer: (request: Request) => Promise<Response>): void {
    this.#socket = socket;
    this.#answer = answer;
    const { ending } = this.options;
    if (ending.aborted) this.#endIfIdle();
    else ending.addEventListener("abort", this.#endIfIdle);
  }

  received(message: string | Buffer): void {
    if (this.#isOld) return this.endIfOld();
    if (this.#turn) return this.#refuse(busy());
    const turn = { left: new AbortController() };
    this.#turn = turn;
    void this.#take(message, turn);
  }

  drained(): void {
    this.#onDrained?.();
  }

  closed(): void {
    const { responses, ending, onClosed } = this.options;
    ending.removeEventListener("abort", this.#endIfIdle);
    this.#socket = null;
    this.#onDrained?.();
    this.#turn?.left.abort();
    void this.#turn?.events?.cancel().catch(() => {});
    responses.forgetAll();
    onClosed();
  }

  /** Ends a connection that has lasted for an hour, unless it answers. */
  endIfOld(): void {
    if (!this.#isOld || this.#turn) return;
    this.#refuse(connectionLimit());
    this.#socket?.close(closing.normal, "The connection has lasted for 60 minutes");
  }

  get #isOld(): boolean {
    return this.options.clock.monotonicMs() - this.#openedAtMs >= LAST_MS;
  }

  readonly #endIfIdle = () => {
    if (!this.#turn) this.#socket?.close(closing.goingAway, "The gateway stops; connect again");
  };

  async #take(message: string | Buffer, turn: Turn): Promise<void> {
    let frame: TurnFrame | null = null;
    let last: string;
    try {
      frame = readFrame(message);
      last = await this.#create(frame, turn);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : brokenOff();
      last = formatError(refusal.status, refusal.body(this.#requestId));
    }
    // A failed turn takes what it went on from with it, as with OpenAI: its client begins again with all items.
    if (frame?.previousId && isFailure(last)) this.options.responses.forget(frame.previousId);
    this.#turn = null;
    this.#tell(last, frame?.streamId);
    if (isUnauthenticated(last)) this.#socket?.close(closing.notAllowed, "The key is no longer valid");
    if (this.options.ending.aborted) this.#endIfIdle();
  }

  /** Sends a turn's events but for the last, which is sent once the call has ended. @returns that one. */
  async #create({ body, isWarmUp, streamId }: TurnFrame, turn: Turn): Promise<string> {
    const headers = new Headers(this.#headers);
    headers.set("content-length", String(Buffer.byteLength(body)));
    const options = { method: "POST", headers, body, signal: turn.left.signal };
    const { responses } = this.options;
    const reply = await this.#answer(new TurnRequest(this.#url, options, { responses, isWarmUp }));
    if (!isStream(reply)) return readRefusal(reply);
    const events = reply.body?.getReader();
    if (!events) throw brokenOff();
    turn.events = events;
    const splitter = new EventSplitter();
    let last: string | null = null;
    for (;;) {
      const { done, value } = await events.read();
      if (done) break;
      for (const event of splitter.push(value)) {
        const data = readEventData(event);
        if (data === null || data === "[DONE]") continue;
        // An error is followed by the response that failed, unless it is the last.
        if (last !== null) await this.#send(last, streamId);
        last = null;
        if (END.test(data)) last = data;
        else await this.#send(data, streamId);
      }
    }
    if (last === null) throw brokenOff();
    return last;
  }

  /** Sends an event, and waits until its client has read enough to be sent more. */
  async #send(data: string, streamId: string | null | undefined): Promise<void> {
    if (this.#tell(data, streamId) !== -1 || !this.#socket) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onDrained = resolve;
    await promise;
    this.#onDrained = null;
  }

  #tell(data: string, streamId: string | null | undefined): number {
    const named = streamId
      ? `{"stream_id":${JSON.stringify(streamId)},${data.slice(data.indexOf("{") + 1)}`
      : data;
    return this.#socket?.send(named) ?? 0;
  }

  #refuse(refusal: Refusal): void {
    this.#tell(formatError(refusal.status, refusal.body(this.#requestId)), null);
  }
}

/** @throws Refusal 400 for what is no `response.create`. */
function readFrame(message: string | Buffer): TurnFrame {
  if (typeof message !== "string")
    throw invalid("type", "Send events as text, not as bytes.", "invalid_json");
  const scanned = scanObject(message);
  if (scanned.duplicate !== null)
    throw invalid(scanned.duplicate, `"${scanned.duplicate}" appears twice in the event; send it once.`);
  const read = (name: string): unknown => {
    const member = scanned.members.get(name);
    return member && parse(message.slice(member.valueStart, member.end));
  };
  const type = read("type");
  if (type !== "response.create")
    throw invalid("type", 'An event must be a JSON object of the type "response.create".');
  if (read("background") === true)
    throw invalid("background", "A response over a WebSocket is answered at once. Leave background out.");
  const streamId = read("stream_id") ?? null;
  if (streamId !== null && (typeof streamId !== "string" || streamId.length > MAX_STREAM_ID))
    throw invalid("stream_id", `stream_id must be a text of at most ${MAX_STREAM_ID} characters.`);
  const generate = read("generate") ?? true;
  if (typeof generate !== "boolean") throw invalid("generate", "generate must be true or false.");
  const previousId = read("previous_response_id");
  const changes = new Map<string, string | null>([["stream", "true"]]);
  for (const name of ["type", "stream_id", "generate", "background"])
    if (scanned.members.has(name)) changes.set(name, null);
  return {
    body: spliceObject(message, scanned, changes),
    streamId,
    previousId: typeof previousId === "string" ? previousId : null,
    isWarmUp: !generate,
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Whoever reads the whole body says what is wrong with it.
    return undefined;
  }
}

const isStream = ({ headers }: Response) =>
  headers.get("content-type")?.startsWith("text/event-stream") ?? false;

/** What a client needs of a refusal's headers: its call's id, and when to try again. */
const TOLD_HEADERS = /^(?:x-request-id|x-should-retry|retry-after.*|x-ratelimit-.+)$/;

async function readRefusal(reply: Response): Promise<string> {
  const headers = Object.fromEntries([...reply.headers].filter(([name]) => TOLD_HEADERS.test(name)));
  return formatError(reply.status, (await reply.json()) as object, headers);
}

function formatError(status: number, body: object, headers: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify({ type: "error", status, ...body, headers });
}

/** Whether a turn's last event tells that it failed. */
function isFailure(event: string): boolean {
  const fields = parse(event);
  return isObject(fields) && (fields.type === "error" || fields.type === "response.failed");
}

function isUnauthenticated(event: string): boolean {
  const fields = event.startsWith('{"type":"error","status":401') && parse(event);
  return isObject(fields) && fields.status === 401;
}

function noHandshake(): Refusal {
  const message = "GET /v1/responses opens a WebSocket: send its handshake, or POST the request.";
  const headers = { allow: "POST", upgrade: "websocket" };
  return new Refusal(405, "invalid_request_error", "method_not_allowed", message, { headers });
}

function busy(): Refusal {
  const message =
    "This connection answers one response at a time. Send the next once this one has ended, or open another connection.";
  return new Refusal(429, "rate_limit_error", "concurrency", message, { headers: retryAfter(1) });
}

function connectionLimit(): Refusal {
  const message =
    "This connection has lasted for 60 minutes, which is the most. Open another, and go on there.";
  return new Refusal(400, "invalid_request_error", "websocket_connection_limit_reached", message);
}

function brokenOff(): Refusal {
  const message =
    "The answer broke off before its end. What came until then is charged. Send the request again.";
  return new Refusal(502, "service_error", "provider_error", message);
}
