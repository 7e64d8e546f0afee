import { isObject } from "@/lib/contract/json-value";
import { type ChangeContext, systemChange, type Write } from "../../changes/change";
import type { Transaction } from "../../changes/transactions.sql";
import type { ClockAndRandom } from "../../clock";
import { EventSplitter, readEventData } from "../../http/event-splitter";
import { StreamedResponse, type StreamSource } from "../../http/response";
import type { ModelConversationStore } from "../../log/responses/conversation-store.sql";
import type { ResponseStore, StoredItem } from "../../log/responses/response-store.sql";
import { conflict } from "../../refusal";
import type { IncomingCall } from "../requests/incoming-call";
import type { CompletionRequest } from "../requests/prepared-request";
import type { BackgroundResponses } from "./background-responses";
import { toStem } from "./response-events";
import { type GoneOnConversation, type RecentItems, toStoredItems } from "./turn";

type Fields = Readonly<Record<string, unknown>>;

export interface KeepContext extends ClaimContext {
  readonly responseStore: Pick<ResponseStore, "insert">;
  readonly backgroundResponses: Pick<BackgroundResponses, "settle" | "write">;
  readonly recentItems: RecentItems;
}

/** Keeps a response. @param output its items with what providers want again, where its client isn't shown that. */
export type Keep = (response: Fields, output?: readonly Fields[]) => Promise<void>;

/**
 * How a call's response is kept: whole, in its conversation, or its items for a while; null where its client wants
 * none of these.
 */
export function findKeep(
  context: KeepContext,
  incoming: IncomingCall<CompletionRequest>,
  claim: ConversationClaim | null,
): Keep | null {
  const { request, projectId, requestContext } = incoming;
  const { turn, fields } = request;
  if (!turn || !(turn.isNamed || turn.connection || claim)) return null;
  const { input, previousId, isNamed, isKept, connection, background } = turn;
  const { requestId } = requestContext;
  return async (response, output = listItems(response)) => {
    if (isNamed) context.recentItems.note(projectId, output);
    if (input === null) return;
    const stored = {
      id: String(response.id),
      projectId,
      createdAtMs: context.runtime.clock.nowMs(),
      model: fields.model,
      previousId,
      input: toStoredItems(JSON.parse(input), toStem(requestId)),
      output: output as readonly StoredItem[],
      response,
    };
    connection?.note(stored);
    if (!isKept && !claim) return;
    const write: Write = background
      ? (work) => context.backgroundResponses.write(work)
      : (work) => systemChange(context, "response", work);
    await write(async (transaction) => {
      if (background && !(await context.backgroundResponses.settle(transaction, stored))) return;
      if (isKept && !background) await context.responseStore.insert(transaction, stored);
      await claim?.append(transaction, [...stored.input, ...stored.output]);
    }).catch((error: unknown) => context.logFault(requestId, error));
  };
}

export function listItems({ output }: Fields): readonly Fields[] {
  return Array.isArray(output) ? output.filter(isObject) : [];
}

/** A response without what its client isn't shown of the thinking. */
export function withoutSeals(response: Fields): Fields {
  return {
    ...response,
    output: listItems(response).map((item) => ({ ...item, encrypted_content: undefined })),
  };
}

const ENDS = ["response.completed", "response.incomplete"].map((type) => Buffer.from(`"${type}"`));

/** A stream of a response's events, which keeps the response before the event that ends it is passed on. */
export function keepAtEnd(events: ReadableStream<Uint8Array>, keep: Keep): StreamSource {
  const reader = events.getReader();
  return {
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        const piece = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
        const response = ENDS.some((type) => piece.includes(type)) ? findEnded(piece) : null;
        if (response) await keep(response);
        controller.enqueue(value);
      } catch {
        controller.error();
      }
    },
    cancel: () => reader.cancel(),
  };
}

function findEnded(piece: Buffer): Fields | null {
  for (const event of new EventSplitter().push(piece)) {
    try {
      const fields: unknown = JSON.parse(readEventData(event) ?? "{}");
      const isEnd = isObject(fields) && /^response\.(?:completed|incomplete)$/.test(String(fields.type));
      if (isEnd && isObject(fields.response)) return fields.response;
    } catch {
      // `[DONE]`, the end of a stream, is no JSON.
    }
  }
  return null;
}

interface ClaimContext extends ChangeContext {
  readonly modelConversations: Pick<ModelConversationStore, "claim" | "append" | "release">;
  readonly runtime: ClockAndRandom;
  logFault(requestId: string, error: unknown): void;
}

/** A response that goes on with a conversation: alone from its start to its end, after which its items are added. */
export class ConversationClaim {
  #isHeld = false;

  constructor(
    private readonly context: ClaimContext,
    private readonly conversation: GoneOnConversation,
    private readonly requestId: string,
  ) {}

  /** @throws Refusal 409 while another response goes on with it. */
  async take(): Promise<void> {
    const { context, conversation, requestId } = this;
    const nowMs = context.runtime.clock.nowMs();
    this.#isHeld = await systemChange(context, "response", (transaction) =>
      context.modelConversations.claim(transaction, { ...conversation, requestId, nowMs }),
    );
    if (this.#isHeld) return;
    const message = `Another response goes on with "${conversation.id}". Try again once it has ended.`;
    throw conflict("conversation", message, "conversation_locked");
  }

  /** Adds what was asked and answered, and lets others go on from there. */
  async append(transaction: Transaction, items: readonly StoredItem[]): Promise<void> {
    const { modelConversations, runtime } = this.context;
    const { id } = this.conversation;
    const stem = toStem(this.requestId);
    await modelConversations.append(transaction, id, {
      items,
      nowMs: runtime.clock.nowMs(),
      freshId: (index) => `item_${stem}_new${index}`,
    });
    await modelConversations.release(transaction, id, this.requestId);
    this.#isHeld = false;
  }

  /** Lets others go on with it, where nothing was added. Never rejects: a claim without a hold ends by itself. */
  async release(): Promise<void> {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    const { context, conversation, requestId } = this;
    await systemChange(context, "response", (transaction) =>
      context.modelConversations.release(transaction, conversation.id, requestId),
    ).catch((error: unknown) => context.logFault(requestId, error));
  }

  /** Answers with a reply, and releases the claim at its end, whichever it is. */
  async during(answer: () => Promise<Response>): Promise<Response> {
    try {
      const reply = await answer();
      if (reply instanceof StreamedResponse && reply.body)
        return new StreamedResponse(this.#releaseAtEnd(reply.body), { headers: reply.headers });
      await this.release();
      return reply;
    } catch (error) {
      await this.release();
      throw error;
    }
  }

  #releaseAtEnd(body: ReadableStream<Uint8Array>): StreamSource {
    const reader = body.getReader();
    return {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          await this.release();
          controller.close();
        } catch {
          await this.release();
          controller.error();
        }
      },
      cancel: async () => {
        await reader.cancel();
        await this.release();
      },
    };
  }
}
