import { type ChangeContext, systemChange } from "../../changes/change";
import type { Transaction } from "../../changes/transaction";
import type { ClockAndRandom } from "../../clock";
import { StreamedResponse, type StreamSource } from "../../http/response";
import type { ModelConversationStore } from "../../log/responses/conversation-store.sql";
import type { StoredItem } from "../../log/responses/response-store.sql";
import { conflict } from "../../refusal";
import { toStem } from "./response-events";
import type { GoneOnConversation } from "./turn";

export interface ClaimContext extends ChangeContext {
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
