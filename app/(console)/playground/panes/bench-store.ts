import { type StartedRun, startRun } from "@/app/queries/start-run";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import { sendCall } from "../actions";
import { callBody } from "../calls/call-body";
import { type Attachment, applyEvent, end, type Message, newRun, openToolCalls } from "../messages/message";
import { isObject, readJson } from "../settings/settings";
import { PaintQueue } from "./paint-queue";
import {
  answersNext,
  type Bench,
  cutForAnswer,
  newId,
  type Pane,
  settingsOf,
  withMessage,
  withoutRefused,
  withPane,
} from "./pane";

/** Maximum number of answers in a row while a model calls tools with fixed replies. */
const MAX_ROUNDS = 8;

type Heard = readonly [event: ChatEvent, elapsedMs: number];

/** Holds the workbench and its running calls. It lives outside of React, so that a streaming answer renders only its own pane. */
export class BenchStore {
  #bench: Bench;
  readonly #listeners = new Set<() => void>();
  readonly #runs = new Map<string, { run: StartedRun; close: () => void }>();
  readonly #paints = new PaintQueue();

  constructor(
    bench: Bench,
    private readonly projectId: string | null,
  ) {
    this.#bench = bench;
  }

  get bench(): Bench {
    return this.#bench;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  change(next: (bench: Bench) => Bench): void {
    this.#bench = next(this.#bench);
    for (const listener of this.#listeners) listener();
  }

  changePane(id: string, next: (pane: Pane) => Pane): void {
    this.change((bench) => withPane(bench, id, next));
  }

  paneOf(id: string): Pane | undefined {
    return this.#bench.panes.find((pane) => pane.id === id);
  }

  /** Sends a message to every pane. If all panes refuse it, puts the text back into the composer. */
  async send(text: string, attachments: readonly Attachment[]): Promise<"sent" | "refused"> {
    const isAgain = this.#bench.panes.every(isRefused);
    const message = (): Message => ({
      id: newId(),
      role: "user",
      text,
      ...(attachments.length > 0 && { attachments }),
    });
    this.change((bench) => ({
      ...bench,
      draft: "",
      panes: bench.panes.map((pane) => {
        const before = isAgain ? withoutRefused(pane) : pane;
        return { ...before, messages: [...before.messages, message()] };
      }),
    }));
    await Promise.all(this.#bench.panes.map(({ id }) => this.answer(id)));
    if (!this.#bench.panes.every(isRefused)) return "sent";
    this.change((bench) => ({ ...bench, draft: bench.draft || text }));
    return "refused";
  }

  /** Asks for an answer in every pane that can be answered without a new message. */
  async answerAll(): Promise<void> {
    await Promise.all(this.#bench.panes.filter(answersNext).map(({ id }) => this.answer(id)));
  }

  /** Asks a pane's model for an answer, and again as long as all its tool calls have fixed replies. */
  async answer(paneId: string): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await this.#answerOnce(paneId);
      if (!this.#answerTools(paneId)) return;
    }
  }

  /** Removes everything from the given answer on (or after the given prompt), and asks again. */
  answerAgain(paneId: string, messageId: string): Promise<void> {
    this.changePane(paneId, (pane) => cutForAnswer(pane, messageId));
    return this.answer(paneId);
  }

  /** Stops the call of one pane or of all. Keeps the text received so far. */
  readonly stop = (paneId?: string): void => {
    const ids = paneId === undefined ? [...this.#runs.keys()] : [paneId];
    for (const id of ids) {
      const current = this.#runs.get(id);
      this.#runs.delete(id);
      current?.run.stop();
      current?.close();
    }
  };

  /** Removes all messages. Keeps the panes and settings. */
  clear(): void {
    this.stop();
    this.change(({ panes, shared }) => ({
      shared,
      draft: "",
      panes: panes.map((pane) => ({ ...pane, messages: [] })),
    }));
  }

  async #answerOnce(paneId: string): Promise<void> {
    this.stop(paneId);
    const pane = this.paneOf(paneId);
    if (!pane) return;
    const settings = settingsOf(this.#bench, pane);
    const body = callBody(pane.model, settings, pane.messages);
    const message: Message = { id: newId(), role: "assistant", text: "", run: newRun(pane.model, body) };
    this.changePane(paneId, ({ messages, ...rest }) => ({ ...rest, messages: [...messages, message] }));

    const sentAt = performance.now();
    const elapsed = () => performance.now() - sentAt;
    const change = (next: (message: Message) => Message) =>
      this.changePane(paneId, (one) => withMessage(one, message.id, next));
    let waiting: Heard[] = [];
    const paint = () => {
      const events = waiting;
      waiting = [];
      if (events.length > 0)
        change((one) => events.reduce((next, [event, ms]) => applyEvent(next, event, ms), one));
    };
    const close = (state: "finished" | "stopped") => {
      const totalMs = elapsed();
      this.#paints.flush(message.id);
      change((one) => end(one, state, totalMs));
    };
    const input = { projectId: this.projectId, endpoint: settings.endpoint, body: { ...body } };
    const run = startRun<typeof input, ChatEvent>(sendCall, input, (event) => {
      waiting.push([event, elapsed()]);
      this.#paints.add(message.id, paint);
    });
    this.#runs.set(paneId, { run, close: () => close("stopped") });
    await run.ended;
    close("finished");
    if (this.#runs.get(paneId)?.run === run) this.#runs.delete(paneId);
  }

  /** Answers tool calls that have fixed replies. @returns true if there were calls and all were answered. */
  #answerTools(paneId: string): boolean {
    const pane = this.paneOf(paneId);
    const last = pane?.messages.at(-1);
    if (!pane || last?.run?.state !== "finished") return false;
    const open = openToolCalls(pane.messages);
    const replies = readJson(settingsOf(this.#bench, pane).replies);
    if (open.length === 0 || !isObject(replies)) return false;
    const known = open.filter(({ name }) => Object.hasOwn(replies, name));
    const answers = known.map(({ id, name }): Message => {
      const reply = replies[name];
      const text = typeof reply === "string" ? reply : JSON.stringify(reply);
      return { id: newId(), role: "tool", toolCallId: id, text };
    });
    this.changePane(paneId, (one) => ({ ...one, messages: [...one.messages, ...answers] }));
    return known.length === open.length;
  }
}

export function isRefused({ messages }: Pane): boolean {
  return messages.at(-1)?.run?.state === "refused";
}
