import { type StartedRun, startRun } from "@/app/queries/start-run";
import type { ChatEvent } from "@/lib/console/chat-event";
import { sendCall } from "./actions";
import { callBody } from "./call-body";
import { type Attachment, end, hear, type Message, newRun, openToolCalls } from "./message";
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
import { isObject, readJson } from "./settings";

/** A model that keeps calling tools which answer on their own is stopped after as many answers. */
const MOST_ROUNDS = 8;

type Heard = readonly [event: ChatEvent, elapsedMs: number];

/**
 * The workbench as it stands, and its calls under way. It lives outside of what is drawn, so that an answer that streams
 * draws its own pane alone.
 */
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

  /** Sends a message to every pane. Where all of them refuse it, it is written in the composer again. */
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

  /** Goes on without a message in every pane whose conversation waits for an answer. */
  async answerAll(): Promise<void> {
    await Promise.all(this.#bench.panes.filter(answersNext).map(({ id }) => this.answer(id)));
  }

  /** Asks a pane's model for the next message, and for the one after it while its tools answer by themselves. */
  async answer(paneId: string): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await this.#answerOnce(paneId);
      if (!this.#answerTools(paneId)) return;
    }
  }

  /** Asks once more for what a message is the answer to; what stands after it goes. */
  answerAgain(paneId: string, messageId: string): Promise<void> {
    this.changePane(paneId, (pane) => cutForAnswer(pane, messageId));
    return this.answer(paneId);
  }

  /** Stops one pane's call, or all. What has come stays. */
  readonly stop = (paneId?: string): void => {
    const ids = paneId === undefined ? [...this.#runs.keys()] : [paneId];
    for (const id of ids) {
      const current = this.#runs.get(id);
      this.#runs.delete(id);
      current?.run.stop();
      current?.close();
    }
  };

  /** Leaves the panes and their settings, and nothing said. */
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
        change((one) => events.reduce((next, [event, ms]) => hear(next, event, ms), one));
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

  /** Answers the calls whose tools have a fixed reply. @returns whether that was all of them, and there were any. */
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
