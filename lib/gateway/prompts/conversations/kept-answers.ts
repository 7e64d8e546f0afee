import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import { type ChangeContext, type ChangeRequest, change, systemChange } from "../../changes/change";
import type { Clock } from "../../effects";
import { invalid, notFound } from "../../refusal";
import type { ConversationStore } from "./conversation-store.sql";
import { KeptAnswer } from "./kept-answer";
import type { KeptAnswerName, KeptAnswerRecord, KeptAnswerStore } from "./kept-answer-store.sql";

interface KeptAnswerContext extends ChangeContext {
  readonly keptAnswerStore: KeptAnswerStore;
  readonly conversations: Pick<ConversationStore, "find">;
}

const NAME = /^(conv_[0-9a-z]{8,40})\/([\w-]{1,40})$/;

/** The calls of this process that continue when their clients disconnect. */
export class KeptAnswers {
  readonly #running = new Map<string, KeptAnswer>();

  constructor(
    private readonly context: KeptAnswerContext,
    private readonly options: { readonly clock: Clock; logFault(where: string, error: unknown): void },
  ) {}

  /**
   * Starts storing the reply of a call.
   * @throws Refusal 400 for a name that is invalid or already used; 404 for another owner's conversation.
   */
  async begin(header: string, ownerId: string, requestId: string): Promise<KeptAnswer> {
    const [, conversationId, answerId] = NAME.exec(header) ?? [];
    if (!conversationId || !answerId) {
      throw invalid(
        KEEP_ANSWER_HEADER,
        "The header must be a conversation and an answer, such as conv_…/answer-id.",
      );
    }
    const { keptAnswerStore, conversations } = this.context;
    const answer: KeptAnswerRecord = {
      conversationId,
      answerId,
      ownerId,
      requestId,
      head: null,
      isRunning: true,
      isCanceled: false,
      updatedAtMs: this.options.clock.nowMs(),
    };
    await systemChange(this.context, "kept answer", async (transaction) => {
      const conversation = await conversations.find(conversationId);
      if (conversation && conversation.ownerId !== ownerId)
        throw notFound("conversation", conversationId, KEEP_ANSWER_HEADER);
      if (await keptAnswerStore.find(answer)) {
        throw invalid(KEEP_ANSWER_HEADER, `The answer "${answerId}" exists already. Choose another id.`);
      }
      await keptAnswerStore.insert(transaction, answer);
    });
    return this.#follow(answer);
  }

  /** @throws Refusal 404 if the caller has no such call. */
  async cancel(request: ChangeRequest, ownerId: string, name: KeptAnswerName): Promise<void> {
    await change(this.context, request, async (transaction) => {
      const answer = await this.context.keptAnswerStore.find(name);
      if (answer?.ownerId !== ownerId) throw noSuchKeptAnswer(name);
      if (answer.isRunning) await this.context.keptAnswerStore.cancel(transaction, name);
    });
    // If the call runs in another process, that process reads the cancellation when it stores the next part.
    this.#running.get(formatAnswerKey(name))?.stop();
  }

  /** Stops the calls of this process, and waits until what came of their replies is stored. */
  async close(): Promise<void> {
    for (const answer of this.#running.values()) answer.shutDown();
    await Promise.all([...this.#running.values()].map(({ over }) => over));
  }

  #follow(answer: KeptAnswerRecord): KeptAnswer {
    const { keptAnswerStore } = this.context;
    const { clock, logFault } = this.options;
    const keptAnswer = new KeptAnswer({
      answer,
      nowMs: () => clock.nowMs(),
      write: (record, part) =>
        systemChange(this.context, "kept answer", async (transaction) => {
          await keptAnswerStore.write(transaction, record, part);
          return (await keptAnswerStore.find(answer))?.isCanceled ?? true;
        }),
      logFault: (error) => logFault("kept answer", error),
    });
    this.#running.set(formatAnswerKey(answer), keptAnswer);
    const forget = () => this.#running.delete(formatAnswerKey(answer));
    void keptAnswer.over.then(forget, forget);
    return keptAnswer;
  }
}

export function noSuchKeptAnswer({ answerId }: KeptAnswerName) {
  return notFound("answer", answerId, "answer_id");
}

function formatAnswerKey({ conversationId, answerId }: KeptAnswerName): string {
  return `${conversationId}/${answerId}`;
}
