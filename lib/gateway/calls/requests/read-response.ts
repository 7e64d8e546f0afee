import { isObject } from "@/lib/contract/json-value";
import type { ResponseRequest } from "@/lib/contract/operations/calls/responses";
import { type BodyPieces, countBytes, joinPieces, joinToBuffer } from "../../http/body-reader";
import { parseJsonObject, scanObject, spliceObject } from "../../http/json";
import { hashBody } from "../../idempotency/idempotency";
import type { ResponseStore, StoredItem } from "../../log/responses/response-store.sql";
import { invalid } from "../../refusal";
import { type ConnectionResponses, TurnRequest } from "../responses/connection-responses";
import { describeAsked } from "../responses/response-facts";
import { type FilledPrompt, fillStoredPrompt } from "../responses/stored-prompt";
import {
  type BackgroundTurn,
  keepsResponses,
  listEarlierItems,
  MAX_KEPT_INPUT,
  openConversation,
  openSummaries,
  refuseResultsOfNone,
  resolveReferences,
  SUMMARY_REQUEST,
  type Turn,
  type TurnContext,
  UNKEPT_TURN,
} from "../responses/turn";
import type { CallReader } from "./incoming-call";

/** The fields by which a request refers to stored items. */
const REFERENCES = ["previous_response_id", "conversation", "item_reference", "compaction"].map((name) =>
  Buffer.from(`"${name}"`),
);

const STORE = Buffer.from('"store"');

/** A request with the items that it refers to. */
interface OpenedTurn {
  readonly pieces: BodyPieces;
  readonly turn: Turn;
  /** How many items of earlier turns precede its own. */
  readonly earlierItems: number;
}

/** Reads a request of the Responses API. What it refers to is put before its own items. */
export const readResponse: CallReader = async (context, requestContext, options, capture) => {
  const { bounds, wantsHash, projectId, keyId } = options;
  const { pathModel, request: sender } = requestContext;
  const { responses: connection = null, isWarmUp = false } = sender instanceof TurnRequest ? sender : {};
  const read = await context.bodyReader.read(requestContext, bounds.bytes);
  capture?.request(read);
  const sent = [joinToBuffer(read)];
  const named = await fillStoredPrompt(context, { projectId, keyId, maxBytes: bounds.bytes }, sent);
  const whole = named?.pieces ?? sent;
  const detached = readBackground(whole, pathModel);
  const opened = await openTurn(context, projectId, detached?.pieces ?? whole, connection);
  if (detached) refuseUnkept(context, projectId, opened.turn, detached);
  const { earlierItems } = opened;
  const pieces = isWarmUp ? fillInput(opened.pieces) : opened.pieces;
  // A repeat is known by what its client sent: its conversation, or its prompt, has become another one by then.
  const sentHash =
    wantsHash && (opened.turn.conversation || detached || named)
      ? hashBody(`response\n${pathModel}\n${toText(sent)}`)
      : null;
  const reading = { kind: "response", wantsHash: wantsHash && !sentHash, pathModel, earlierItems } as const;
  const request = await context.requestReader.read(pieces, reading, bounds);
  if (request.answeredBy !== "provider") return request;
  const turn: Turn = {
    ...opened.turn,
    ...(named && { prompt: named.prompt }),
    ...(isWarmUp && { isWarmUp }),
    ...(detached && { background: describeDetached(detached.fields, named?.prompt ?? null) }),
  };
  const fields = named && { ...request.fields, savedPrompt: named.prompt };
  return Object.assign(request, { turn }, sentHash && { bodyHash: sentHash }, fields && { fields });
};

const BACKGROUND = Buffer.from('"background"');
const MAX_CALLBACK_URL = 2_000;

/** A request for a response of the background, as one for a stream, and its fields but for the input. */
interface DetachedRequest {
  readonly pieces: BodyPieces;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Null for a request whose response is awaited, or that is no request. */
function readBackground(sent: BodyPieces, pathModel: string | null): DetachedRequest | null {
  const bytes = joinToBuffer(sent);
  if (!bytes.includes(BACKGROUND)) return null;
  const text = bytes.toString();
  const scanned = scanObject(text);
  const entries = [...scanned.members].filter(([name]) => name !== "input");
  const fields: Record<string, unknown> = Object.fromEntries(
    entries.map(([name, { valueStart, end }]) => [name, parse(text.slice(valueStart, end))]),
  );
  if (fields.background !== true || scanned.duplicate !== null) return null;
  const changes = new Map<string, string | null>([
    ["background", null],
    ["stream", "true"],
  ]);
  if (readCallbackAddress(fields) !== null) changes.set("callback_url", null);
  const pieces = [Buffer.from(spliceObject(text, scanned, changes))];
  return { pieces, fields: { ...fields, model: pathModel ?? fields.model } };
}

/** Null for none, and for what the reader of the whole body refuses. */
function readCallbackAddress({ callback_url: url }: DetachedRequest["fields"]): string | null {
  return typeof url === "string" && url.length <= MAX_CALLBACK_URL ? url : null;
}

/** @param fields of a request that was found valid. */
function describeDetached(fields: DetachedRequest["fields"], prompt: FilledPrompt | null): BackgroundTurn {
  return {
    asked: { ...describeAsked(fields as ResponseRequest), prompt },
    isStreamed: fields.stream === true,
    callbackUrl: readCallbackAddress(fields),
  };
}

/** @throws Refusal 400 for a response of the background that isn't kept until its client asks for it. */
function refuseUnkept(
  context: TurnContext,
  projectId: string,
  turn: Turn,
  { fields }: DetachedRequest,
): void {
  if (turn.isKept) return;
  if (fields.store === false)
    throw invalid("store", "A response of the background is kept until you get it. Leave store out.");
  if (keepsResponses(context, projectId))
    throw invalid("background", "A request of more than 8 MB isn't kept. Leave background out.");
  throw invalid(
    "background",
    "This project keeps no responses, so none could be read later. Leave background out, or let the project keep the bodies of its calls whole, with nothing in them replaced.",
  );
}

const toText = (pieces: BodyPieces) => joinToBuffer(pieces).toString();

/** Reads a request to summarize a conversation: as one for a response that is the summary. */
export const readCompaction: CallReader = async (context, requestContext, options, capture) => {
  const { bounds, wantsHash, projectId } = options;
  const sent = await context.bodyReader.read(requestContext, bounds.bytes);
  capture?.request(sent);
  const { pieces, earlierItems } = await openTurn(context, projectId, sent);
  const { value } = parseJsonObject(joinPieces(pieces), bounds);
  const { input, model, instructions, prompt_cache_key } = value;
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  if (!Array.isArray(items) || items.length === 0)
    throw invalid(
      "input",
      "input is required: the conversation, as a text or a list of items.",
      "missing_field",
    );
  const asked = [...items, { type: "message", role: "user", content: SUMMARY_REQUEST }];
  const body = { model, input: asked, instructions, prompt_cache_key };
  const reading = { kind: "response", wantsHash, pathModel: requestContext.pathModel, earlierItems } as const;
  const request = await context.requestReader.read([Buffer.from(JSON.stringify(body))], reading, bounds);
  const turn = { ...UNKEPT_TURN, isNamed: false, isCompaction: true } as const;
  return request.answeredBy === "provider" ? Object.assign(request, { turn }) : request;
};

/** @param connection keeps what the project doesn't, where the request came over a WebSocket. */
async function openTurn(
  context: TurnContext,
  projectId: string,
  pieces: BodyPieces,
  connection: ConnectionResponses | null = null,
): Promise<OpenedTurn> {
  const isShort = countBytes(pieces) <= MAX_KEPT_INPUT;
  const keeps = keepsResponses(context, projectId) && isShort;
  const bytes = joinToBuffer(pieces);
  const refers = REFERENCES.some((name) => bytes.includes(name));
  const mayRefuse = bytes.includes(STORE);
  if (!keeps && !refers && !mayRefuse && !connection) return { pieces, turn: UNKEPT_TURN, earlierItems: 0 };
  const text = bytes.toString();
  const scanned = scanObject(text);
  const read = (name: string): unknown => {
    const member = scanned.members.get(name);
    return member && parse(text.slice(member.valueStart, member.end));
  };
  const { previousId, conversation, earlier } = refers
    ? await openEarlier(context, { projectId, connection }, read)
    : NOTHING_EARLIER;
  const opened = openSummaries(context, projectId, earlier);
  const input = refers ? read("input") : undefined;
  const own = Array.isArray(input)
    ? openSummaries(context, projectId, await resolveReferences(context, projectId, input, earlier))
    : typeof input === "string"
      ? [{ type: "message", role: "user", content: input }]
      : [];
  if (previousId !== null) refuseResultsOfNone(earlier, own);
  const isChanged =
    earlier.length > 0 ||
    (Array.isArray(input) && (own.length !== input.length || own.some((item, at) => item !== input[at])));
  const changes = new Map(isChanged ? [["input", JSON.stringify([...opened, ...own])]] : []);
  const isNamed = read("store") !== false;
  const isKept = keeps && isNamed;
  const keeper = !isKept && isShort ? connection : null;
  const member = scanned.members.get("input");
  const kept = refers ? JSON.stringify(own) : member && text.slice(member.valueStart, member.end);
  return {
    pieces: isChanged ? [Buffer.from(spliceObject(text, scanned, changes))] : [bytes],
    turn: {
      previousId,
      conversation,
      isNamed,
      isKept,
      input: isKept || keeper || conversation ? (kept ?? "[]") : null,
      ...(keeper && { connection: keeper }),
    },
    earlierItems: earlier.length,
  };
}

/** A request to keep items may have none yet. */
function fillInput(pieces: BodyPieces): BodyPieces {
  const text = joinToBuffer(pieces).toString();
  const scanned = scanObject(text);
  const member = scanned.members.get("input");
  const input = member && parse(text.slice(member.valueStart, member.end));
  if (Array.isArray(input) ? input.length > 0 : input) return pieces;
  return [Buffer.from(spliceObject(text, scanned, new Map([["input", '" "']])))];
}

/** Looks for responses in the connection first, then in the store. */
function readingFirst(
  connection: ConnectionResponses | null,
  context: Pick<TurnContext, "responseStore">,
): { readonly responseStore: Pick<ResponseStore, "find"> } {
  const { responseStore } = context;
  if (!connection) return context;
  return { responseStore: { find: async (id) => connection.find(id) ?? responseStore.find(id) } };
}

/** What a request goes on from. */
interface Earlier extends Pick<Turn, "previousId" | "conversation"> {
  readonly earlier: readonly StoredItem[];
}

const NOTHING_EARLIER: Earlier = { previousId: null, conversation: null, earlier: [] };

/** @throws Refusal 400 where both a response and a conversation are named, and as these are opened. */
async function openEarlier(
  context: TurnContext,
  { projectId, connection }: { projectId: string; connection: ConnectionResponses | null },
  read: (name: string) => unknown,
): Promise<Earlier> {
  const previous = read("previous_response_id");
  const named = read("conversation");
  const conversationId = isObject(named) ? named.id : named;
  const isNamed = typeof conversationId === "string" && conversationId !== "";
  if (typeof previous === "string" && previous !== "") {
    if (isNamed)
      throw invalid(
        "conversation",
        "Send conversation or previous_response_id: a response goes on from one.",
      );
    const earlier = await listEarlierItems(readingFirst(connection, context), projectId, previous);
    return { previousId: previous, conversation: null, earlier };
  }
  if (!isNamed) return NOTHING_EARLIER;
  const { conversation, items } = await openConversation(context, projectId, conversationId);
  return { previousId: null, conversation, earlier: items };
}

/** What is no JSON is refused by the reader of the whole body. */
function parse(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) || Array.isArray(value) ? value : (value as string | boolean | null);
  } catch {
    return undefined;
  }
}
