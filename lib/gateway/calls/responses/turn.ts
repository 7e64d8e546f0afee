import { HOUR_MS } from "@/lib/contract/durations";
import { isObject } from "@/lib/contract/json-value";
import { seal, unsealOrNull } from "../../database/seal";
import type { BodySettingsCache } from "../../log/bodies/body-settings.sql";
import type { ModelConversation, ModelConversationStore } from "../../log/responses/conversation-store.sql";
import type { ResponseStore, StoredItem, StoredResponse } from "../../log/responses/response-store.sql";
import { invalid, notFound, type Refusal } from "../../refusal";
import { Secret } from "../../secrets/secret";
import { readCallId } from "../anthropic/returned-parts";
import type { ConnectionResponses } from "./connection-responses";
import type { FilledPrompt, StoredPromptContext } from "./stored-prompt";

/** What is kept of a request with its response. */
export interface Turn {
  readonly previousId: string | null;
  /** The conversation that it goes on with; null for none. */
  readonly conversation: GoneOnConversation | null;
  /** Whether its items may be named by their ids for a while, which its client can refuse. */
  readonly isNamed: boolean;
  /** Whether the response is kept. */
  readonly isKept: boolean;
  /** The items that are new in the request, as JSON or a text as JSON; null where nothing keeps them. */
  readonly input: string | null;
  /** The saved prompt that its request was filled with; absent for none. */
  readonly prompt?: FilledPrompt;
  /** Whether its conversation is summarized in place of an answer; absent for an answer. */
  readonly isCompaction?: true;
  /** The way its client follows it in the background; absent if the client waits for the answer. */
  readonly background?: BackgroundTurn;
  /** Whether nothing is generated, and only its items are kept; absent for an answer. */
  readonly isWarmUp?: true;
  /** Keeps it while its WebSocket is open, where its project does not; absent where that does, or nobody. */
  readonly connection?: ConnectionResponses;
}

/** A request whose response goes on without its client. */
export interface BackgroundTurn {
  /** What the response repeats of its request. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** Whether its client reads the events at once. */
  readonly isStreamed: boolean;
  /** Where its end is told; null for nowhere. */
  readonly callbackUrl: string | null;
}

/** A conversation as a request has read it. */
export type GoneOnConversation = Pick<ModelConversation, "id" | "revision">;

/** A turn that refers to nothing and of which nothing is kept. */
export const UNKEPT_TURN: Turn = {
  previousId: null,
  conversation: null,
  isNamed: true,
  isKept: false,
  input: null,
};

export interface TurnContext extends Pick<CompactionSealing, "secret">, StoredPromptContext {
  readonly responseStore: Pick<ResponseStore, "find" | "findByItem">;
  readonly modelConversations: Pick<ModelConversationStore, "find" | "listItems">;
  readonly bodySettingsCache: Pick<BodySettingsCache, "find">;
  readonly recentItems: RecentItems;
}

/** Longer requests are answered, and not kept. */
export const MAX_KEPT_INPUT = 8 * 1024 * 1024;
/** Bounds of a conversation that is put together again: responses one after another, and characters of its items. */
const MAX_TURNS = 500;
export const MAX_CONVERSATION = 32 * 1024 * 1024;

/**
 * Whether a project keeps the responses of its calls: it keeps their bodies whole, with nothing in them replaced, since
 * what was replaced can't be gone on from.
 */
export function keepsResponses(
  { bodySettingsCache }: Pick<TurnContext, "bodySettingsCache">,
  projectId: string,
): boolean {
  const { mode, redactions } = bodySettingsCache.find(projectId);
  return mode === "whole" && redactions.length === 0;
}

/**
 * The items of a conversation up to a response: input and output of each turn, and no instructions.
 * @throws Refusal 400 `previous_response_not_found` for a response that is unknown, deleted or another project's.
 */
export async function listEarlierItems(
  { responseStore }: { readonly responseStore: Pick<ResponseStore, "find"> },
  projectId: string,
  previousId: string,
): Promise<readonly StoredItem[]> {
  const turns: StoredResponse[] = [];
  for (let id: string | null = previousId; id !== null; ) {
    const stored = await responseStore.find(id);
    if (stored?.projectId !== projectId || turns.length >= MAX_TURNS) throw noSuchPrevious(previousId);
    refuseUnended(stored, previousId);
    turns.unshift(stored);
    id = stored.previousId;
  }
  return turns.flatMap(({ input, output }) => [...input, ...output]);
}

/**
 * What is known of a conversation shows which calls it has, so that the result of another one is a mistake.
 * @throws Refusal 400 for a tool's result whose call is neither in earlier turns nor in the request.
 */
export function refuseResultsOfNone(earlier: readonly unknown[], own: readonly unknown[]): void {
  const idOf = (item: unknown, ending: string) =>
    isObject(item) && typeof item.call_id === "string" && String(item.type).endsWith(ending)
      ? readCallId(item.call_id).id
      : null;
  const calls = new Set([...earlier, ...own].map((item) => idOf(item, "_call")));
  for (const [index, item] of own.entries()) {
    const id = idOf(item, "_call_output");
    if (id === null || calls.has(id)) continue;
    const message = `No tool was called with the call_id "${id.slice(0, 100)}" before this result.`;
    throw invalid(`input.${index}.call_id`, message);
  }
}

/** @throws Refusal 400 for a response of the background that has no whole answer to go on from. */
function refuseUnended({ background }: StoredResponse, previousId: string): void {
  if (!background || background.status === "completed" || background.status === "incomplete") return;
  const isUnderWay = background.status === "queued" || background.status === "in_progress";
  const message = isUnderWay
    ? `The response "${previousId}" is still ${background.status}. Go on from it once it has ended.`
    : `The response "${previousId}" has ${background.status === "failed" ? "failed" : "been cancelled"}, so it has no answer to go on from.`;
  throw invalid("previous_response_id", message, "previous_response_not_found");
}

function noSuchPrevious(id: string): Refusal {
  return invalid(
    "previous_response_id",
    `No response "${id.slice(0, 100)}" is kept in this project. Send the whole conversation as input, or let the project keep the bodies of its calls.`,
    "previous_response_not_found",
  );
}

/**
 * A conversation with its items.
 * @throws Refusal 404 for one that is unknown, deleted or another project's.
 */
export async function openConversation(
  { modelConversations }: TurnContext,
  projectId: string,
  id: string,
): Promise<{ readonly conversation: GoneOnConversation; readonly items: readonly StoredItem[] }> {
  const found = await modelConversations.find(id);
  if (found?.projectId !== projectId) throw notFound("conversation", id.slice(0, 100), "conversation");
  const items = await modelConversations.listItems(id);
  const bytes = items.reduce((sum, item) => sum + JSON.stringify(item).length, 0);
  if (bytes > MAX_CONVERSATION) throw conversationTooLong("conversation");
  return { conversation: { id, revision: found.revision }, items };
}

export function conversationTooLong(param: string): Refusal {
  const most = MAX_CONVERSATION.toLocaleString("en");
  const message = `The conversation is longer than ${most} characters. Delete items of it, or begin another one.`;
  return invalid(param, message);
}

/** What a response says of the gateway's own, as JSON: its provider knows nothing earlier. */
export function listOwnValues(turn: Turn | undefined): Readonly<Record<string, string>> {
  const { previousId = null, conversation = null, isKept = false, background, prompt } = turn ?? {};
  return {
    ...(background && { background: "true" }),
    ...(!isKept && { store: "false" }),
    ...(prompt && { prompt: JSON.stringify(prompt) }),
    ...(previousId !== null && { previous_response_id: JSON.stringify(previousId) }),
    ...(conversation && { conversation: JSON.stringify({ id: conversation.id }) }),
  };
}

/** Ids of items of ours, which no provider knows. */
const OWN_ITEM = /^[a-z]+_[0-9a-z]{26}_(?:in)?\d+$/;

/**
 * The input with each reference replaced by the item that it names: an earlier one, one of the last responses,
 * or in a kept response. An id that a provider gave stays, since it may know it.
 * @throws Refusal 400 for an item of ours that isn't kept.
 */
export async function resolveReferences(
  { responseStore, recentItems }: TurnContext,
  projectId: string,
  input: readonly unknown[],
  earlier: readonly StoredItem[],
): Promise<readonly unknown[]> {
  const resolved: unknown[] = [];
  for (const [index, item] of input.entries()) {
    const id = isReference(item) ? String(item.id) : null;
    if (id === null) {
      resolved.push(item);
      continue;
    }
    // An item of an earlier turn is there already.
    if (earlier.some((one) => one.id === id)) continue;
    const recent = recentItems.find(projectId, id);
    const stored = recent ? null : await responseStore.findByItem(projectId, id);
    const items = stored?.projectId === projectId ? [...stored.output, ...stored.input] : [];
    const found = recent ?? items.find((one) => one.id === id) ?? (OWN_ITEM.test(id) ? null : item);
    if (!found)
      throw invalid(`input.${index}`, `The item "${id.slice(0, 100)}" isn't kept here; send it whole.`);
    resolved.push(found);
  }
  return resolved;
}

function isReference(item: unknown): item is Record<string, unknown> {
  if (!isObject(item) || typeof item.id !== "string") return false;
  return item.type === "item_reference" || ((item.type ?? null) === null && item.role === undefined);
}

/** The items of an input as they are listed: each with an id, and messages in their whole form. */
export function toStoredItems(input: unknown, stem: string): StoredItem[] {
  const listed = typeof input === "string" ? [{ role: "user", content: input }] : input;
  return (Array.isArray(listed) ? listed.filter(isObject) : []).map((item, index) => {
    const isMessage = (item.type ?? null) === null || item.type === "message";
    const id =
      typeof item.id === "string" && item.id ? item.id : `${isMessage ? "msg" : "item"}_${stem}_in${index}`;
    if (!isMessage) return { ...item, id };
    const type = item.role === "assistant" ? "output_text" : "input_text";
    const content =
      typeof item.content === "string"
        ? [{ type, text: item.content, ...(type === "output_text" && { annotations: [] }) }]
        : item.content;
    return { status: "completed", ...item, id, type: "message", content };
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** What all items together may take, as JSON. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

interface RecentItem {
  readonly projectId: string;
  readonly item: Fields;
  readonly characters: number;
  readonly atMs: number;
}

/**
 * The items of this process's last responses, in memory alone: clients such as the AI SDK send back the id of an item
 * in place of the item, also in projects that keep nothing. They are forgotten after an hour, or when others need room.
 */
export class RecentItems {
  /** In the order in which they came, by project and id. */
  readonly #items = new Map<string, RecentItem>();
  #characters = 0;

  constructor(
    private readonly clock: { nowMs(): number },
    private readonly maxCharacters = MAX_CHARACTERS,
  ) {}

  note(projectId: string, items: readonly Fields[]): void {
    const atMs = this.clock.nowMs();
    for (const item of items) {
      if (!isObject(item) || typeof item.id !== "string") continue;
      const characters = JSON.stringify(item).length;
      if (characters > this.maxCharacters) continue;
      const name = toName(projectId, item.id);
      this.#forget(name);
      this.#items.set(name, { projectId, item, characters, atMs });
      this.#characters += characters;
    }
    for (const [name, { atMs: since }] of this.#items) {
      if (this.#characters <= this.maxCharacters && since > atMs - HOUR_MS) return;
      this.#forget(name);
    }
  }

  find(projectId: string, id: string): Fields | undefined {
    const found = this.#items.get(toName(projectId, id));
    return found && found.atMs > this.clock.nowMs() - HOUR_MS ? found.item : undefined;
  }

  #forget(name: string): void {
    this.#characters -= this.#items.get(name)?.characters ?? 0;
    this.#items.delete(name);
  }
}

function toName(projectId: string, id: string): string {
  return `${projectId} ${id}`;
}

/** What seals the summaries of conversations. */
export interface CompactionSealing {
  readonly secret: Uint8Array;
  readonly runtime: { random(bytes: number): Uint8Array };
}

/** How a summary begins that was sealed here; those of providers begin otherwise. */
const MARK = "ghc1_";

/** What the model is asked for in place of an answer. */
export const SUMMARY_REQUEST =
  "Summarize the conversation so far, so that it can be continued from the summary alone. Keep the user's goals and wishes, what was decided and why, names, paths, figures and code that still matter, what was done with which result, and what is left to do. Answer with the summary and nothing else.";

/** A summary that only this gateway can read, and only for the project. */
export function sealSummary(
  { secret, runtime }: CompactionSealing,
  projectId: string,
  summary: string,
): string {
  const random = (bytes: number) => runtime.random(bytes);
  return MARK + seal(new Secret(summary), describeSealed(projectId), { key: secret, random });
}

/**
 * The items with each summary that was sealed here as a message of the user. A provider's own stays as it is.
 * @throws Refusal 400 for one that was changed, or sealed for another project.
 */
export function openSummaries(
  { secret }: Pick<CompactionSealing, "secret">,
  projectId: string,
  items: readonly unknown[],
): readonly unknown[] {
  return items.map((item, index) => {
    const { type, encrypted_content: sealed } = isObject(item) ? item : {};
    if (type !== "compaction" || typeof sealed !== "string" || !sealed.startsWith(MARK)) return item;
    const summary = unsealOrNull(sealed.slice(MARK.length), describeSealed(projectId), secret);
    if (summary === null)
      throw invalid(
        `input.${index}.encrypted_content`,
        "This compaction can't be read: it was changed, or made for another project.",
      );
    const text = `A summary of the conversation so far:\n\n${summary}`;
    return { type: "message", role: "user", content: [{ type: "input_text", text }] };
  });
}

function describeSealed(projectId: string): string {
  return `compaction of ${projectId}`;
}
