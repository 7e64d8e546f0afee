import { newId } from "@/lib/contract/ids";
import { operations } from "@/lib/contract/operation-table";
import type { ResponseConversation } from "@/lib/contract/operations/calls/response-conversations";
import type { AuthenticationContext } from "../../access/authenticate";
import { findChargedProject, followAccess, isModelInScope } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import { LeftOut } from "../../calls/anthropic/receiver-bounds";
import type { BackgroundResponses } from "../../calls/responses/background-responses";
import { followResponse } from "../../calls/responses/follow-response";
import { readItems } from "../../calls/responses/read-items";
import {
  conversationTooLong,
  keepsResponses,
  MAX_CONVERSATION,
  type TurnContext,
  toStoredItems,
} from "../../calls/responses/turn";
import { type ChangeContext, change } from "../../changes/change";
import { type ClockAndRandom, toUnixSeconds } from "../../clock";
import type { OpenStreams } from "../../http/open-streams";
import { listInMemory } from "../../lists/paged-list";
import type { BackgroundResponseStore } from "../../log/responses/background-response-store.sql";
import type { ModelConversation, ModelConversationStore } from "../../log/responses/conversation-store.sql";
import type { ResponseStore, StoredItem, StoredResponse } from "../../log/responses/response-store.sql";
import type { ProjectCache } from "../../projects/projects";
import { conflict, invalid, notFound, Refusal } from "../../refusal";
import type { RequestHeaders } from "../../request-headers";
import type { Handlers, Input } from "../handler";
import { paginate } from "../paginate";

interface Context extends ChangeContext, AuthenticationContext {
  readonly responseStore: ResponseStore;
  readonly projectCache: Pick<ProjectCache, "find">;
  readonly backgroundResponseStore: BackgroundResponseStore;
  readonly backgroundResponses: Pick<BackgroundResponses, "cancel">;
  readonly openStreams: OpenStreams;
  logFault(requestId: string, error: unknown): void;
}

const DEFAULT_LIMIT = 20;

export type ResponseIds = "retrieveResponse" | "listResponseItems" | "deleteResponse" | "cancelResponse";

export function responseRoutes(context: Context): Handlers<ResponseIds> {
  return {
    retrieveResponse: async (input) => {
      const { params, query, caller, headers } = input;
      const stored = await findResponse(context, params.response_id, caller, headers);
      const reply = query.stream === "true" ? streamResponse(context, input, stored) : stored.response;
      return reply as never;
    },
    cancelResponse: async ({ params, caller, headers, request }) => {
      const find = () => findResponse(context, params.response_id, caller, headers);
      const { response } = await context.backgroundResponses.cancel(request, find);
      return response as never;
    },
    listResponseItems: async ({ params, query, caller, headers }) => {
      const { input } = await findResponse(context, params.response_id, caller, headers);
      // This list's default order is latest first, so `asc` reverses it.
      const { after, before, limit = DEFAULT_LIMIT, order } = query;
      const latestFirst = order === "asc" ? input : input.toReversed();
      return paginate(listInMemory(latestFirst), { after, before, limit }, (item) => item);
    },
    deleteResponse: async ({ params, caller, headers, request }) => {
      const { id } = await change(context, request, async (transaction) => {
        const stored = await findResponse(context, params.response_id, caller, headers);
        refuseRunning(stored);
        await context.responseStore.delete(transaction, stored);
        return stored;
      });
      return { id, object: "response", deleted: true };
    },
  };
}

/** @throws Refusal 400 for a response that was awaited, and 429. */
function streamResponse(
  context: Context,
  { params, query, caller, headers, request }: Input<"retrieveResponse">,
  { background }: StoredResponse,
): Response {
  if (!background)
    throw invalid("stream", "Only a response of the background is streamed again. Leave stream out.");
  const { response_id: id } = params;
  const callerNow = followAccess(context, { headers }, operations.retrieveResponse, params);
  return followResponse(context, {
    reader: caller,
    requestId: request.event.requestId ?? id,
    after: query.starting_after === undefined ? -1 : Number(query.starting_after),
    find: () => findResponse(context, id, callerNow(), headers),
  });
}

/** @throws Refusal 409 */
function refuseRunning({ id, background }: StoredResponse): void {
  if (!background?.isRunning) return;
  throw conflict("response_id", `The response "${id}" is under way. Cancel it, then delete it.`, "in_use");
}

/** @throws Refusal 404 for one of another project, or of a model that the key may not call. */
async function findResponse(
  { responseStore, projectCache }: Context,
  id: string,
  caller: Caller,
  headers: RequestHeaders,
): Promise<StoredResponse> {
  const stored = await responseStore.find(id);
  const isOwn = stored?.projectId === findChargedProject(projectCache, caller, headers);
  if (stored && isOwn && isModelInScope(caller.scope, stored.model)) return stored;
  throw notFound("response", id, "response_id");
}

interface ResponseConversationsContext extends ChangeContext, Pick<TurnContext, "bodySettingsCache"> {
  readonly modelConversations: ModelConversationStore;
  readonly projectCache: Pick<ProjectCache, "find">;
  readonly runtime: ClockAndRandom;
}
/** A project's. Those that nothing goes on with are deleted with its bodies. */
const MAX_CONVERSATIONS = 10_000;
/** What a client sees of thinking only where it asks for it. */
const SEALED = "reasoning.encrypted_content";

type ItemIds =
  | "createResponseConversationItems"
  | "listResponseConversationItems"
  | "retrieveResponseConversationItem"
  | "deleteResponseConversationItem";

export type ResponseConversationIds =
  | ItemIds
  | "createResponseConversation"
  | "retrieveResponseConversation"
  | "changeResponseConversation"
  | "deleteResponseConversation";

type Include = readonly string[] | undefined;

export function responseConversationRoutes(
  context: ResponseConversationsContext,
): Handlers<ResponseConversationIds> {
  const { modelConversations: store } = context;
  const { clock, random } = context.runtime;
  return {
    ...itemRoutes(context),
    createResponseConversation: async ({ body, caller, headers, request }) => {
      const projectId = findChargedProject(context.projectCache, caller, headers);
      refuseUnkept(context, projectId);
      const nowMs = clock.nowMs();
      const id = newId("conv", nowMs, random);
      const added = readAdded(body.items ?? [], id, nowMs);
      const made = { id, projectId, createdAtMs: nowMs, metadata: body.metadata ?? {}, revision: 0 };
      await change(context, request, async (transaction) => {
        if (await store.hasAsMany(transaction, projectId, MAX_CONVERSATIONS)) throw tooManyConversations();
        await store.insert(transaction, made);
        await store.append(transaction, id, added);
      });
      return describe(made);
    },
    retrieveResponseConversation: async ({ params, caller, headers }) =>
      describe(await findConversation(context, params.conversation_id, caller, headers)),
    changeResponseConversation: ({ params, body, caller, headers, request }) =>
      change(context, request, async (transaction) => {
        const found = await findConversation(context, params.conversation_id, caller, headers);
        const changed = { ...found, metadata: body.metadata ?? {} };
        await store.saveMetadata(transaction, changed);
        return describe(changed);
      }),
    deleteResponseConversation: ({ params, caller, headers, request }) =>
      change(context, request, async (transaction) => {
        const { id } = await findConversation(context, params.conversation_id, caller, headers);
        await store.delete(transaction, id);
        return { id, object: "conversation.deleted", deleted: true };
      }),
  };
}

function itemRoutes(context: ResponseConversationsContext): Handlers<ItemIds> {
  const { modelConversations: store } = context;
  const { clock, random } = context.runtime;
  return {
    createResponseConversationItems: async ({ params, query, body, caller, headers, request }) => {
      const { id, projectId } = await findConversation(context, params.conversation_id, caller, headers);
      refuseUnkept(context, projectId);
      const nowMs = clock.nowMs();
      const added = readAdded(body.items, newId("conv", nowMs, random), nowMs);
      const stored = await change(context, request, async (transaction) => {
        await findConversation(context, id, caller, headers);
        if ((await store.measure(id)) > MAX_CONVERSATION) throw conversationTooLong("items");
        return store.append(transaction, id, added);
      });
      const data = stored.map((item) => show(item, query.include));
      const [first_id, last_id] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
      return { object: "list", data, first_id, last_id, has_more: false };
    },
    listResponseConversationItems: async ({ params, query, caller, headers }) => {
      const { id } = await findConversation(context, params.conversation_id, caller, headers);
      const { after, before, limit = DEFAULT_LIMIT, order, include } = query;
      // This list's default order is latest first, so `asc` reverses it.
      const page = { after, before, limit, ...(order === "asc" && { order: "desc" as const }) };
      return paginate(store.pages(id), page, (item) => show(item, include));
    },
    retrieveResponseConversationItem: async ({ params, query, caller, headers }) => {
      const { id } = await findConversation(context, params.conversation_id, caller, headers);
      return show(await findItem(context, id, params.item_id), query.include);
    },
    deleteResponseConversationItem: ({ params, caller, headers, request }) =>
      change(context, request, async (transaction) => {
        const found = await findConversation(context, params.conversation_id, caller, headers);
        const { id } = await findItem(context, found.id, params.item_id);
        await store.deleteItem(transaction, found.id, id, clock.nowMs());
        return describe(found);
      }),
  };
}

function tooManyConversations(): Refusal {
  const most = MAX_CONVERSATIONS.toLocaleString("en");
  const message = `The project has ${most} conversations, the most there may be. Delete those that you no longer need.`;
  return invalid("OpenAI-Project", message, "limit_reached");
}

/** @throws Refusal 404 for one of another project. */
async function findConversation(
  { modelConversations, projectCache }: ResponseConversationsContext,
  id: string,
  caller: Caller,
  headers: RequestHeaders,
): Promise<ModelConversation> {
  const found = await modelConversations.find(id);
  if (found?.projectId === findChargedProject(projectCache, caller, headers)) return found;
  throw notFound("conversation", id, "conversation_id");
}

async function findItem(
  { modelConversations }: ResponseConversationsContext,
  id: string,
  itemId: string,
): Promise<StoredItem> {
  const item = await modelConversations.findItem(id, itemId);
  if (item) return item;
  throw notFound("item", itemId, "item_id");
}

function describe({ id, createdAtMs, metadata }: ModelConversation): ResponseConversation {
  return { id, object: "conversation", created_at: toUnixSeconds(createdAtMs), metadata };
}

function show({ encrypted_content: sealed, ...item }: StoredItem, include: Include): StoredItem {
  const isShown = item.type !== "reasoning" || (include?.includes(SEALED) ?? false);
  return { ...item, ...(isShown && sealed !== undefined && { encrypted_content: sealed }) } as StoredItem;
}

/** @throws Refusal 400 where the project keeps no conversations. */
function refuseUnkept(context: ResponseConversationsContext, projectId: string): void {
  if (keepsResponses(context, projectId)) return;
  throw invalid(
    "OpenAI-Project",
    "This project keeps no conversations: let it keep the bodies of its calls whole, with nothing in them replaced.",
  );
}

/**
 * The items that a client adds, by what an id with their time has behind its prefix.
 * @throws Refusal 400 naming an item that no model could be told.
 */
function readAdded(items: readonly unknown[], id: string, nowMs: number) {
  const aims = { accepts: () => true, origins: new Set<string>(), leftOut: new LeftOut() };
  try {
    readItems(items, { ...aims, keepsSealedIds: false, earlierItems: 0 });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const toOwnName = (text: string) => text.replaceAll(/\binput(?=\.\d)/g, "items");
    throw invalid(toOwnName(error.details.param ?? "items"), toOwnName(error.message));
  }
  const stem = id.slice(id.indexOf("_") + 1);
  return { items: toStoredItems(items, stem), nowMs, freshId: (index: number) => `item_${stem}_new${index}` };
}
