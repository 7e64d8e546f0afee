import { isObject } from "@/lib/contract/json-value";
import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import type { ResponseRequest } from "@/lib/contract/operations/calls/responses";
import { type BodyPieces, joinPieces } from "../../http/body-reader";
import { type JsonObject, spliceObject } from "../../http/json";
import type { LeftOut } from "../anthropic/receiver-bounds";
import { readSeal } from "../anthropic/returned-parts";
import type { Counting } from "../requests/prepared-request";
import { hostedToolRefused, refuseUnpricedFields, toToolName } from "../requests/priced-fields";
import { isRunType, listInNamespaces, unsupportedTool } from "./read-response-tools";

type Fields = Readonly<Record<string, unknown>>;

/** Fields of the protocol that cost nothing but the tokens that are priced, or are priced elsewhere. */
const plain = new Set(
  "model input instructions stream stream_options store previous_response_id conversation background prompt include max_output_tokens tools tool_choice parallel_tool_calls truncation metadata client_metadata user safety_identifier prompt_cache_key prompt_cache_retention top_logprobs temperature top_p context_management".split(
    " ",
  ),
);

/** Refuses what could make a response that is passed on cost more than its hold. @throws Refusal 400. */
export function refuseCostlyFields(request: ResponseRequest): void {
  const others = Object.entries(request).filter(([name]) => !plain.has(name));
  const { max_output_tokens: max_completion_tokens, model } = request;
  const asChat = { ...Object.fromEntries(others), model, max_completion_tokens, messages: [] };
  refuseUnpricedFields(asChat as unknown as ChatCompletionRequest);
}

/** Whether a client runs a tool of this type, or it only chooses among its tools. */
export function isClientsTool(type: unknown): boolean {
  return isRunType(type) || type === "namespace" || type === "tool_search" || type === undefined;
}

/**
 * The tools of a request that its provider gets: the client's own, and those that the model has a price for.
 * @throws Refusal 400 `unsupported_tool` where another one is forced, nothing else is left, or none is left out.
 */
export function pickPricedTools(
  { tools, tool_choice }: ResponseRequest,
  { features: prices, refusesHostedTools }: Pick<Counting, "features" | "refusesHostedTools">,
): { readonly kept: readonly unknown[]; readonly leftOut: readonly string[] } {
  const listed = tools ?? [];
  const isKept = ({ type }: Fields) =>
    isClientsTool(type) || (prices?.tools.includes(toToolName(type)) ?? false);
  const kept = listed.filter(isKept);
  const leftOut = [...new Set(listed.filter((tool) => !isKept(tool)).map(({ type }) => String(type)))];
  if (leftOut.length === 0) return { kept, leftOut };
  if (refusesHostedTools) throw hostedToolRefused("tools", leftOut);
  if (kept.length === 0) throw unsupportedTool("tools", leftOut);
  const forced = isObject(tool_choice) ? listForced(tool_choice) : [];
  if (forced.length > 0 && forced.every(({ type }) => leftOut.includes(String(type))))
    throw unsupportedTool("tool_choice", leftOut);
  return { kept, leftOut };
}

function listForced(choice: Fields): Fields[] {
  if (choice.type !== "allowed_tools") return [choice];
  return choice.mode === "required" ? listInNamespaces(Array.isArray(choice.tools) ? choice.tools : []) : [];
}

/** The fields that the gateway changes in a client's request. */
interface PassedOn {
  readonly model: string;
  readonly maxTokens: number | null;
  /** The tools that are sent, where some are left out. */
  readonly tools: readonly unknown[] | null;
  /** The provider's account, which alone can read what it encrypted. */
  readonly account: string;
  readonly leftOut: LeftOut;
}

/** Ids of the gateway's own items, which no provider knows. */
const OWN_ID = /^[a-z]+_[0-9a-z]{26}_\d+$/;

/** The client's text for a provider that speaks responses. Only what routing, pricing and state must change differs. */
export function passOnResponse(
  { text, scanned }: JsonObject,
  request: ResponseRequest,
  { model, maxTokens, tools, account, leftOut }: PassedOn,
): string {
  const changes = new Map<string, string | null>();
  if (model !== request.model) changes.set("model", JSON.stringify(model));
  if (maxTokens !== null && maxTokens !== request.max_output_tokens)
    changes.set("max_output_tokens", String(maxTokens));
  if (tools) changes.set("tools", JSON.stringify(tools));
  for (const name of ["previous_response_id", "conversation"])
    if (scanned.members.has(name)) changes.set(name, null);
  const sent = request.input;
  if (Array.isArray(sent)) {
    const own = sent.flatMap((item) => withoutOurs(item, account, leftOut));
    if (own.some((item, index) => item !== sent[index]) || own.length !== sent.length)
      changes.set("input", JSON.stringify(own));
  }
  return spliceObject(text, scanned, changes);
}

/**
 * An item without an id of ours, and with what this account encrypted. What was sealed here, or for another account, it
 * can't read: such thinking stays out.
 */
function withoutOurs(given: unknown, account: string, leftOut: LeftOut): unknown[] {
  if (!isObject(given)) return [given];
  const seal = readProviderSeal(given.encrypted_content);
  if (seal && seal.account !== account) {
    leftOut.add(`input.${String(given.type)}`);
    return [];
  }
  const item = seal ? { ...given, encrypted_content: seal.content } : given;
  const { encrypted_content: sealed, id } = item;
  if (item.type === "reasoning" && typeof sealed === "string" && readSeal(sealed)) {
    leftOut.add("input.reasoning");
    return [];
  }
  if (typeof id !== "string" || !OWN_ID.test(id)) return [item];
  if (item.type === "reasoning") {
    leftOut.add("input.reasoning");
    return [];
  }
  const { id: _, ...others } = item;
  return [others];
}

const MARK = "gh2_";
const MARKED = /^gh2_([0-9a-f]+)_/;

const NAME = Buffer.from('"encrypted_content"');
const [TAB, LF, CR, SPACE, QUOTE, COLON] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x3a];

/** What a provider encrypted of an answer for itself, which no other account can read. */
interface ProviderSeal {
  /** The account at a server that gave it, as in `ProviderLink.account`. */
  readonly account: string;
  readonly content: string;
}

/**
 * A reply, or an event of one, in which what its provider encrypted names the account. Every other byte stays, and one
 * without any is returned as it is.
 */
export function markSealed<Bytes extends Uint8Array>(bytes: Bytes, account: string): Bytes | Buffer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: Uint8Array[] = [];
  let copiedUntil = 0;
  for (let at = text.indexOf(NAME); at >= 0; at = text.indexOf(NAME, at + 1)) {
    const value = findText(text, at + NAME.byteLength);
    if (value === null) continue;
    pieces.push(text.subarray(copiedUntil, value), Buffer.from(`${MARK}${account}_`));
    copiedUntil = value;
  }
  return copiedUntil === 0 ? bytes : Buffer.concat([...pieces, text.subarray(copiedUntil)]);
}

/** The same for a reply in pieces. */
export function markSealedPieces(pieces: BodyPieces, account: string): BodyPieces {
  return [markSealed(joinPieces(pieces), account)];
}

/** Where the text of a member begins whose name has ended; null where its value is none, or empty. */
function findText(bytes: Buffer, end: number): number | null {
  const isBlank = (code: number | undefined) => code === SPACE || code === TAB || code === LF || code === CR;
  let at = end;
  while (isBlank(bytes[at])) at++;
  if (bytes[at++] !== COLON) return null;
  while (isBlank(bytes[at])) at++;
  return bytes[at] === QUOTE && bytes[at + 1] !== QUOTE ? at + 1 : null;
}

/** Null for a seal of the gateway's own, and for one that a client got elsewhere. */
export function readProviderSeal(sealed: unknown): ProviderSeal | null {
  if (typeof sealed !== "string") return null;
  const [mark, account] = MARKED.exec(sealed.slice(0, 64)) ?? [];
  return mark && account ? { account, content: sealed.slice(mark.length) } : null;
}

/**
 * Who alone can read what the last sealed item of an input has: an account, or a server as in `toOrigin`. Null without
 * one.
 */
export function findMaker(input: unknown): string | null {
  const items = Array.isArray(input) ? input : [];
  for (let index = items.length - 1; index >= 0; index--) {
    const item: unknown = items[index];
    const sealed = isObject(item) ? item.encrypted_content : undefined;
    if (typeof sealed !== "string") continue;
    const maker = readProviderSeal(sealed)?.account ?? readSeal(sealed)?.origin;
    if (maker !== undefined) return maker;
  }
  return null;
}
