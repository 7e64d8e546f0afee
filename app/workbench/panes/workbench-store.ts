import type { OrganizationModel } from "@/lib/contract/operations/models";
import { cancelCall, followCall, followOwnTask } from "../actions";
import {
  type Attachment,
  isRunning,
  type Message,
  newCallState,
  refusedMessage,
  resetAnswer,
  runningTask,
} from "../messages/message";
import { fillWorkbench, TOO_LONG_FILLED } from "../variables/fill-workbench";
import { buildPaneCall, type OpenStream } from "./build-pane-call";
import { cancelTask } from "./cancel-task";
import { fixedReplies } from "./fixed-replies";
import { PaintQueue } from "./paint-queue";
import {
  answersNext,
  cutForAnswer,
  endsWithPage,
  findSettings,
  isPaneRunning,
  isRefused,
  newId,
  type Pane,
  type Workbench,
  withMessage,
  withPane,
  withWritten,
} from "./pane";
import { type AnswerConversation, type AnswerInProgress, receiveAnswer } from "./receive-answer";

/** Maximum number of answers in a row while a model calls tools with fixed replies. */
const MAX_ROUNDS = 8;

/** Delay before a stored answer is read again after a lost connection, so that a gateway that restarts isn't flooded. */
const LISTEN_AGAIN_MS = 2_000;

/** Holds the workbench and its running calls. It lives outside of React, so that a streaming answer renders only its own pane. */
export class WorkbenchStore {
  #workbench: Workbench;
  readonly #listeners = new Set<() => void>();
  readonly #runs = new Map<string, AnswerInProgress>();
  #conversation: AnswerConversation | null = null;
  readonly #paints = new PaintQueue();

  constructor(
    workbench: Workbench,
    private readonly projectId: string | null,
    private readonly models: readonly OrganizationModel[] | null = null,
  ) {
    this.#workbench = workbench;
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

  /** Sends a message to every pane. If all panes refuse it, puts the text back into the composer. */
  async send(text: string, attachments: readonly Attachment[]): Promise<"sent" | "refused"> {
    this.add(text, attachments);
    await Promise.all(this.#workbench.panes.map(({ id }) => this.answer(id)));
    if (!this.#workbench.panes.every(isRefused)) return "sent";
    this.change((workbench) => ({ ...workbench, draft: workbench.draft || text }));
    return "refused";
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
    this.changePane(paneId, (pane) => cutForAnswer(pane, messageId));
    return this.answer(paneId);
  }

  /** Stops the call of one pane or of all. Keeps the text received so far. A task is heard until it has been canceled. */
  readonly stop = (paneId?: string): void => {
    for (const id of paneId === undefined ? [...this.#runs.keys()] : [paneId]) {
      const last = this.findPane(id)?.messages.at(-1);
      const task = last && runningTask(last);
      if (task) {
        void cancelTask(task);
        continue;
      }
      const { keptAs } = last?.run ?? {};
      // Without this, the gateway would continue the call.
      if (keptAs && this.#runs.has(id)) void cancelCall({ name: keptAs.name }).catch(() => {});
      this.#end(id)?.close("stopped");
    }
  };

  /** Stops the calls that don't continue without this page. */
  stopCallsOfPage(): void {
    for (const { id } of this.#workbench.panes.filter(endsWithPage)) this.stop(id);
  }

  /** Closes the connections of calls that continue without this page. */
  detach(): void {
    for (const id of this.#runs.keys()) this.#end(id);
  }

  storeAnswersIn(conversation: AnswerConversation): void {
    this.#conversation = conversation;
  }

  /** Reads the answers of calls that continued without this page. Resolves once they have ended. */
  async resume(): Promise<void> {
    const waiting = this.#workbench.panes.filter((pane) => isPaneRunning(pane) && !this.#runs.has(pane.id));
    await Promise.all(waiting.map((pane) => this.#follow(pane.id, pane.messages.at(-1)?.id)));
  }

  /** Removes all messages, and the draft unless it has changed since `written`. Keeps the panes and settings. */
  clear(written = this.#workbench.draft): void {
    this.stop();
    this.change(({ panes, shared, goesOn, runAs, draft }) => ({
      shared,
      goesOn,
      runAs,
      draft: draft === written ? "" : draft,
      panes: panes.map((pane) => ({ ...pane, messages: [] })),
    }));
  }

  #end(paneId: string): AnswerInProgress | undefined {
    const current = this.#runs.get(paneId);
    this.#runs.delete(paneId);
    current?.run.stop();
    return current;
  }

  async #answerOnce(paneId: string): Promise<void> {
    this.stop(paneId);
    const pane = this.findPane(paneId);
    if (!pane) return;
    const id = newId();
    const filled = fillWorkbench(this.#workbench);
    const filledPane = filled?.panes.find((one) => one.id === paneId);
    if (!filled || !filledPane) return this.#add(paneId, refusedMessage(id, pane.model, TOO_LONG_FILLED));
    const { body, keptAs, open } = buildPaneCall(filled, filledPane, {
      model: this.models?.find((one) => one.id === pane.model),
      projectId: this.projectId,
      keepAs:
        this.#workbench.goesOn && this.#conversation
          ? `${this.#conversation.conversationId()}/${id}`
          : undefined,
    });
    const message: Message = { id, role: "assistant", text: "", run: newCallState(pane.model, body, keptAs) };
    this.#add(paneId, message);
    if (keptAs) this.#conversation?.save();
    if (await this.#listen(paneId, id, open, true)) await this.#follow(paneId, id);
  }

  #add(paneId: string, message: Message): void {
    this.changePane(paneId, (pane) => ({ ...pane, messages: [...pane.messages, message] }));
  }

  /** Reads a stored answer, or the state of a task, and reconnects after each lost connection. */
  async #follow(paneId: string, id: string | undefined): Promise<void> {
    for (let isDropped = true; isDropped; ) {
      const message = this.#findMessage(paneId, id);
      const open = message && this.#findStream(message);
      if (!message || !open || !isRunning(message.run)) return;
      if (message.run?.keptAs) this.changePane(paneId, (pane) => withMessage(pane, message.id, resetAnswer));
      isDropped = await this.#listen(paneId, message.id, open, false);
      if (isDropped) await new Promise((resolve) => setTimeout(resolve, LISTEN_AGAIN_MS));
    }
  }

  #findMessage(paneId: string, id: string | undefined): Message | undefined {
    return this.findPane(paneId)?.messages.find((one) => one.id === id);
  }

  /** How to read an answer again that the gateway keeps; null if it keeps none. */
  #findStream(message: Message): OpenStream | null {
    const { keptAs } = message.run ?? {};
    const task = runningTask(message);
    if (keptAs) return (streamId) => followCall(streamId, keptAs);
    return task && ((streamId) => followOwnTask(streamId, { taskId: task.id }));
  }

  /** @returns true if the connection was lost while the gateway continues the call. */
  async #listen(paneId: string, messageId: string, open: OpenStream, isTimed: boolean): Promise<boolean> {
    const answer = receiveAnswer({
      open,
      messageId,
      isTimed,
      paints: this.#paints,
      change: (next) => this.changePane(paneId, (one) => withMessage(one, messageId, next)),
      readsAgain: ({ code }) => {
        const message = this.#findMessage(paneId, messageId);
        return code === "unreachable" && message !== undefined && this.#findStream(message) !== null;
      },
    });
    this.#runs.set(paneId, answer);
    const isDropped = await answer.ended;
    // The answer was stopped, or the page disconnected from it.
    if (this.#runs.get(paneId) !== answer) return false;
    this.#runs.delete(paneId);
    if (!isDropped) answer.close("finished");
    return isDropped;
  }

  /** Answers tool calls that have fixed replies. @returns true if there were calls and all were answered. */
  #answerTools(paneId: string): boolean {
    const pane = this.findPane(paneId);
    const replies = pane && fixedReplies(pane, findSettings(this.#workbench, pane));
    if (!replies) return false;
    this.changePane(paneId, (one) => ({ ...one, messages: [...one.messages, ...replies.messages] }));
    return replies.areAll;
  }
}
