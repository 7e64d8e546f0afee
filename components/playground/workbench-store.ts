import { isObject, parseJson } from "@/lib/contract/json-value";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { CallActions } from "./answers/call-actions";
import { buildPaneCall, listSent, RunningAnswers } from "./answers/running-answers";
import {
  type Attachment,
  findLostRecording,
  listOpenToolCalls,
  type Message,
  newCallState,
  refusedMessage,
} from "./messages/message";
import {
  answersNext,
  cutForAnswer,
  endsWithPage,
  findRepeatable,
  isPaneRunning,
  newLocalId,
  type Pane,
  withMessage,
} from "./panes/pane";
import type { Settings } from "./settings";
import { CALL_TOO_LONG, fillWorkbench, freezeValues, readValues } from "./variables/fill-workbench";
import {
  findSettings,
  type Workbench,
  withoutReturned,
  withPane,
  withReturned,
  withWritten,
} from "./workbench";

/** Saves the conversation that stored answers belong to. */
interface AnswerConversation {
  conversationId(): string;
  save(): void;
}

/** Maximum number of answers in a row while a model calls tools with fixed replies. */
const MAX_ROUNDS = 8;

/**
 * Holds the workbench, and asks for its answers. It lives outside of React, so that a streaming answer renders only its
 * own pane.
 */
export class WorkbenchStore {
  #workbench: Workbench;
  readonly #listeners = new Set<() => void>();
  readonly #answers: RunningAnswers;
  #conversation: AnswerConversation | null = null;

  constructor(
    workbench: Workbench,
    private readonly projectId: string | null,
    private readonly models: readonly OrganizationModel[] | null,
    private readonly calls: CallActions,
  ) {
    this.#workbench = workbench;
    const find = (paneId: string, id: string) => this.findPane(paneId)?.messages.find((one) => one.id === id);
    const change = (paneId: string, id: string, next: (message: Message) => Message) =>
      this.changePane(paneId, (pane) => withMessage(pane, id, next));
    this.#answers = new RunningAnswers({ find, change }, calls);
  }

  get workbench(): Workbench {
    return this.#workbench;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  change(next: (workbench: Workbench) => Workbench): void {
    this.#workbench = next(this.#workbench);
    for (const listener of this.#listeners) listener();
  }

  changePane(id: string, next: (pane: Pane) => Pane): void {
    this.change((workbench) => withPane(workbench, id, next));
  }

  findPane(id: string): Pane | undefined {
    return this.#workbench.panes.find((pane) => pane.id === id);
  }

  /** True from the moment a message is sent, before the page is rendered with it: keys can follow each other faster. */
  isRunning(): boolean {
    return this.#workbench.panes.some(isPaneRunning);
  }

  /**
   * Sends a message to every pane. If all panes refuse it, puts the text back into the composer, unless something else
   * is in it.
   * @returns `returned` if it did.
   */
  async send(text: string, attachments: readonly Attachment[]): Promise<"sent" | "returned"> {
    this.add(text, attachments);
    await Promise.all(this.#workbench.panes.map(({ id }) => this.answer(id)));
    this.change((workbench) => withReturned(workbench, text));
    return this.#workbench.returned === undefined ? "sent" : "returned";
  }

  /** Adds a message to every pane. Nothing is sent. */
  add(text: string, attachments: readonly Attachment[]): void {
    this.change((workbench) => withWritten(workbench, text, attachments));
  }

  /** Asks for an answer in every pane that can be answered without a new message. */
  async answerAll(): Promise<void> {
    await Promise.all(this.#workbench.panes.filter(answersNext).map(({ id }) => this.answer(id)));
  }

  /** Requests an answer from a pane's model, and repeats that while all of its tool calls have fixed replies. */
  async answer(paneId: string): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await this.#answerOnce(paneId);
      if (!this.#answerTools(paneId)) return;
    }
  }

  /** Removes everything from the given answer on (or after the given prompt), and requests a new answer. */
  answerAgain(paneId: string, messageId: string): Promise<void> {
    this.change((workbench) =>
      withPane(withoutReturned(workbench), paneId, (pane) => cutForAnswer(pane, messageId)),
    );
    return this.answer(paneId);
  }

  /** Asks every pane again for its last answer, with the present models, settings and values. */
  async runAllAgain(): Promise<void> {
    const repeated = this.#workbench.panes.flatMap((pane) => {
      const answer = findRepeatable(pane);
      return answer ? [[pane.id, answer.id] as const] : [];
    });
    await Promise.all(repeated.map(([paneId, messageId]) => this.answerAgain(paneId, messageId)));
  }

  /** Stops the call of one pane or of all. Keeps the text received so far. */
  readonly stop = (paneId?: string): void => this.#answers.stop(paneId);

  /** Stops the calls that don't continue without this page. */
  stopCallsOfPage(): void {
    for (const { id } of this.#workbench.panes.filter(endsWithPage)) this.stop(id);
  }

  /** Closes the connections of calls that continue without this page. */
  detach(): void {
    this.#answers.leave();
  }

  storeAnswersIn(conversation: AnswerConversation): void {
    this.#conversation = conversation;
  }

  /** Reads the answers of calls that continued without this page. Resolves once they have ended. */
  async resume(): Promise<void> {
    const waiting = this.#workbench.panes.flatMap((pane) => {
      const last = pane.messages.at(-1);
      return last && isPaneRunning(pane) && !this.#answers.has(pane.id) ? [[pane.id, last.id] as const] : [];
    });
    await Promise.all(waiting.map(([paneId, messageId]) => this.#answers.read(paneId, messageId)));
  }

  /** Removes all messages, and the draft unless it has changed since `written`. Keeps the panes and settings. */
  clear(written = this.#workbench.draft): void {
    this.stop();
    this.change(({ panes, shared, keepsRunning, runAs, draft }) => ({
      shared,
      keepsRunning,
      runAs,
      draft: draft === written ? "" : draft,
      panes: panes.map((pane) => ({ ...pane, messages: [] })),
    }));
  }

  async #answerOnce(paneId: string): Promise<void> {
    this.stop(paneId);
    const pane = this.findPane(paneId);
    if (!pane) return;
    const id = newLocalId();
    const filled = fillWorkbench(this.#workbench);
    const filledPane = filled?.panes.find((one) => one.id === paneId);
    if (!filled || !filledPane) return this.#add(paneId, refusedMessage(id, pane.model, CALL_TOO_LONG));
    const model = this.models?.find((one) => one.id === pane.model);
    const lost = findLostRecording(listSent(model, filledPane.messages));
    if (lost !== null) return this.#add(paneId, refusedMessage(id, pane.model, lost));
    const { body, keptAs, open } = buildPaneCall(filled, filledPane, {
      model,
      projectId: this.projectId,
      calls: this.calls,
      keepAs:
        this.#workbench.keepsRunning && this.#conversation
          ? `${this.#conversation.conversationId()}/${id}`
          : undefined,
    });
    const { format, schema } = findSettings(this.#workbench, pane);
    const call = { ...newCallState(pane.model, body, keptAs), ...(format === "schema" && { schema }) };
    const message: Message = { id, role: "assistant", text: "", call };
    this.changePane(paneId, (one) => freezeValues(one, readValues(this.#workbench)));
    this.#add(paneId, message);
    if (keptAs) this.#conversation?.save();
    await this.#answers.read(paneId, id, open);
  }

  #add(paneId: string, message: Message): void {
    this.changePane(paneId, (pane) => ({ ...pane, messages: [...pane.messages, message] }));
  }

  /**
   * Answers tool calls that have fixed replies.
   * @returns true if there were calls and all were answered.
   */
  #answerTools(paneId: string): boolean {
    const pane = this.findPane(paneId);
    const replies = pane && fixedReplies(pane, findSettings(this.#workbench, pane));
    if (!replies) return false;
    this.changePane(paneId, (one) => ({ ...one, messages: [...one.messages, ...replies.messages] }));
    return replies.areAll;
  }
}

/** The fixed replies to the tool calls of a pane's last answer; null if it has no open call or there are no replies. */
function fixedReplies(
  { messages }: Pane,
  settings: Settings,
): { readonly messages: readonly Message[]; readonly areAll: boolean } | null {
  if (messages.at(-1)?.call?.state !== "finished") return null;
  const open = listOpenToolCalls(messages);
  const replies = parseJson(settings.replies);
  if (open.length === 0 || !isObject(replies)) return null;
  const known = open.filter(({ name }) => Object.hasOwn(replies, name));
  const answers = known.map(({ id, name }): Message => {
    const reply = replies[name];
    const text = typeof reply === "string" ? reply : JSON.stringify(reply);
    return { id: newLocalId(), role: "tool", toolCallId: id, text };
  });
  return { messages: answers, areAll: known.length === open.length };
}
