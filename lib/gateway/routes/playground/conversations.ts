import { setTimeout as sleep } from "node:timers/promises";
import type {
  Conversation as ConversationReply,
  ConversationHead as HeadReply,
} from "@/lib/contract/operations/playground/conversations";
import { type AuthenticationContext, authenticate } from "../../access/authenticate";
import type { Caller } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import { noSniffing, StreamedResponse, type StreamSource } from "../../http/response";
import type { RequestContext } from "../../http/server";
import { listInMemory } from "../../lists/paged-list";
import type { UserCache } from "../../people/members";
import type {
  BackgroundAnswerName,
  BackgroundAnswerRecord,
  BackgroundAnswerStore,
} from "../../prompts/conversations/background-answer-store.sql";
import {
  type BackgroundAnswers,
  NEWS_EVERY_MS,
  noSuchBackgroundAnswer,
} from "../../prompts/conversations/background-answers";
import type {
  Conversation,
  ConversationHead,
  ConversationStore,
} from "../../prompts/conversations/conversation-store.sql";
import {
  type ConversationContext,
  deleteConversation,
  findConversation,
  saveConversation,
} from "../../prompts/conversations/conversations";
import { Refusal } from "../../refusal";
import type { Handlers, RawHandlers } from "../handler";
import { paginate } from "../paginate";

type Ids = "listOwnConversations" | "retrieveConversation" | "saveConversation" | "deleteConversation";

interface Context extends ConversationContext {
  readonly userCache: UserCache;
}

export function conversationRoutes(context: Context): Handlers<Ids> {
  const { conversations, userCache } = context;
  const toReply = ({ content, ...head }: Conversation, caller: Caller): ConversationReply => ({
    ...toHead(userCache, head, caller),
    content: JSON.parse(content),
  });
  return {
    listOwnConversations: async ({ caller, query }) => {
      const own = await conversations.listByOwner(findConversationOwner(caller));
      return paginate(listInMemory(own), query, (head) => toHead(userCache, head, caller));
    },
    retrieveConversation: async ({ caller, params: { conversation_id: id } }) =>
      toReply(await findConversation(conversations, findConversationOwner(caller), id), caller),
    saveConversation: async ({ caller, params: { conversation_id: id }, body, request }) =>
      toReply(await saveConversation(context, request, findConversationOwner(caller), id, body), caller),
    deleteConversation: async ({ caller, params: { conversation_id: id }, request }) => {
      await deleteConversation(context, request, findConversationOwner(caller), id);
      return { object: "playground.conversation.deleted", id, deleted: true };
    },
  };
}

/** A member's conversations are the same in all of their sessions. */
function findConversationOwner({ keyId }: Caller): string {
  return keyId;
}

function toHead(userCache: Pick<UserCache, "find">, head: ConversationHead, caller: Caller): HeadReply {
  return {
    object: "playground.conversation",
    id: head.id,
    title: head.title,
    project_id: head.projectId,
    is_shared: head.isShared,
    is_own: head.ownerId === findConversationOwner(caller),
    owner_name: userCache.find(head.ownerId)?.name ?? null,
    created_at: toUnixSeconds(head.createdAtMs),
    updated_at: toUnixSeconds(head.updatedAtMs),
  };
}

interface BackgroundAnswerRoutesContext extends AuthenticationContext {
  readonly backgroundAnswerStore: BackgroundAnswerStore;
  readonly conversations: Pick<ConversationStore, "find">;
  readonly backgroundAnswers: BackgroundAnswers;
  logFault(requestId: string, error: unknown): void;
}

const LOOK_MS = 300;
/** If a call wasn't updated for longer, its process has died. */
const LOST_AFTER_MS = 6 * NEWS_EVERY_MS;

export function backgroundAnswerRoutes({
  backgroundAnswers,
}: BackgroundAnswerRoutesContext): Handlers<"cancelConversationAnswer"> {
  return {
    cancelConversationAnswer: async ({ caller, params, request }) => {
      const name = { conversationId: params.conversation_id, answerId: params.answer_id };
      await backgroundAnswers.cancel(request, caller.keyId, name);
      return { object: "playground.answer", id: name.answerId, canceled: true };
    },
  };
}

export function backgroundAnswerStreams(
  context: BackgroundAnswerRoutesContext,
): Pick<RawHandlers, "retrieveConversationAnswer"> {
  return {
    async retrieveConversationAnswer(requestContext, caller, { conversation_id = "", answer_id = "" }) {
      const name = { conversationId: conversation_id, answerId: answer_id };
      let answer = await find(context, caller, name);
      while (!answer.head && isAlive(context, answer) && !requestContext.clientSignal.aborted) {
        await sleep(LOOK_MS);
        answer = await find(context, authenticateNow(context, requestContext), name);
      }
      if (!answer.head) throw answerLost();
      const { status, contentType, maxTokens } = answer.head;
      const headers = {
        "x-request-id": answer.requestId,
        "content-type": contentType,
        "cache-control": "no-store",
        ...(maxTokens !== null && { "x-gatehouse-max-tokens": maxTokens }),
        ...noSniffing,
      };
      return new StreamedResponse(streamAnswer(context, requestContext, name), { status, headers });
    },
  };
}

function answerLost(): Refusal {
  const message =
    "The gateway's process ended before an answer began. If the call had been sent on, it was charged for what came.";
  return new Refusal(500, "service_error", "internal_error", message);
}

/** Returns the caller's call, or one in a conversation that its owner shares. @throws Refusal 404 */
async function find(
  { backgroundAnswerStore, conversations }: BackgroundAnswerRoutesContext,
  caller: Caller | null,
  name: BackgroundAnswerName,
): Promise<BackgroundAnswerRecord> {
  const answer = await backgroundAnswerStore.find(name);
  if (!answer || !caller) throw noSuchBackgroundAnswer(name);
  if (answer.ownerId === caller.keyId) return answer;
  const { ownerId } = await findConversation(conversations, caller.keyId, name.conversationId);
  if (ownerId !== answer.ownerId) throw noSuchBackgroundAnswer(name);
  return answer;
}

function isAlive(
  { runtime }: BackgroundAnswerRoutesContext,
  { isRunning, updatedAtMs }: BackgroundAnswerRecord,
): boolean {
  return isRunning && runtime.clock.nowMs() - updatedAtMs < LOST_AFTER_MS;
}

/** Authenticates the caller again, since their access may end while an answer streams. */
function authenticateNow(context: BackgroundAnswerRoutesContext, { request }: RequestContext): Caller | null {
  const caller = authenticate(context, request.headers);
  return caller?.holdsAnywhere("api.playground.write") ? caller : null;
}

/** Streams everything received so far, then new text until the call ends. */
function streamAnswer(
  context: BackgroundAnswerRoutesContext,
  requestContext: RequestContext,
  name: BackgroundAnswerName,
): StreamSource {
  const encoder = new TextEncoder();
  let last = 0;
  /** @returns the next text; null after the last one. @throws Refusal if the rest can't be read. */
  const next = async (): Promise<string | null> => {
    for (;;) {
      // Read before the parts: once a call has ended, all of its parts are stored.
      const answer = await find(context, authenticateNow(context, requestContext), name);
      const parts = await context.backgroundAnswerStore.partsAfter(name, last);
      last = parts.at(-1)?.number ?? last;
      if (parts.length > 0) return parts.map(({ text }) => text).join("");
      if (!answer.isRunning || requestContext.clientSignal.aborted) return null;
      if (!isAlive(context, answer)) throw answerLost();
      await sleep(LOOK_MS);
    }
  };
  return {
    async pull(controller) {
      try {
        const text = await next();
        if (text === null) controller.close();
        else controller.enqueue(encoder.encode(text));
      } catch (error) {
        // The stream breaks off, so that a part can't pass for the whole. A refusal is no fault.
        if (!(error instanceof Refusal)) context.logFault(requestContext.requestId, error);
        controller.error();
      }
    },
    cancel() {},
  };
}
