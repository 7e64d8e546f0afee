import type { Timers } from "@/components/playground/conversations/open-conversation";
import {
  type AutosaveOptions,
  buildConversationBody,
  createConversation,
  type OpenConversation,
  readStoredWorkbench,
  storedProperties,
  titleCopy,
} from "@/components/playground/conversations/open-conversation";
import { hashContent, isBlank, MAX_CONTENT_BYTES } from "@/components/playground/conversations/saved-content";
import { endsWithPage, isPaneRunning, outlivesPage } from "@/components/playground/panes/pane";
import type { Workbench } from "@/components/playground/workbench";
import type { ActionReply } from "@/lib/console/gateway/problem";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { Conversation } from "@/lib/contract/operations/playground/conversations";

/** Properties that can change without the workbench. */
type Label = Partial<Pick<OpenConversation, "title" | "isShared">>;
type Refused = Extract<ActionReply<Conversation>, { ok: false }>;

const SAVE_AFTER_MS = 1_000;
const RETRY_AFTER_MS = 10_000;
const MAX_KNOWN = 8;
const TOO_LARGE = `It is larger than ${formatBytes(MAX_CONTENT_BYTES)}. Remove images or files, or begin a new conversation.`;

/**
 * Saves the workbench to the gateway shortly after each edit, one save at a time. Never overwrites what another tab,
 * session or person has saved.
 */
export class ConversationAutosave {
  #conversation = createConversation();
  /** The workbench shown by the last `take`. Showing it isn't an edit. */
  #shown: Workbench | null = null;
  /** The hash of the saved workbench. */
  #saved: string | null = null;
  #saving: Promise<boolean> | null = null;
  readonly #timer: DueTimer;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly options: AutosaveOptions) {
    this.#timer = new DueTimer(options.timers, () => this.#due());
  }

  get conversation(): OpenConversation {
    return this.#conversation;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Saves after edits until the returned function is called. */
  follow(): () => void {
    let wasRunning = false;
    return this.options.store.subscribe(() => {
      const isRunning = this.options.store.workbench.panes.some(isPaneRunning);
      // Another tab that follows the same answer saves its end, too, and may be first.
      if (wasRunning && !isRunning) this.#recognize(hashContent(this.options.store.workbench));
      wasRunning = isRunning;
      if (this.options.store.workbench === this.#shown) return;
      const { kind } = this.#conversation.state;
      if (kind === "failed") this.#timer.stop();
      // While an answer streams, the gateway stores it. Its text doesn't need to be saved from here.
      const isSaved = kind === "saved" && !this.options.store.workbench.panes.some(outlivesPage);
      if (isSaved || kind === "failed") this.#change({ state: { kind: "unsaved" } });
      this.#later(SAVE_AFTER_MS);
    });
  }

  /** Shows a stored workbench. */
  load(workbench: Workbench, conversation: OpenConversation): void {
    this.#timer.stop();
    this.#conversation = conversation;
    this.#saved = conversation.state.kind === "saved" ? hashContent(workbench) : null;
    this.#shown = workbench;
    this.options.store.change(() => workbench);
    this.#change({});
    void this.#resume(conversation.id);
    if (conversation.state.kind === "unsaved") this.#later(SAVE_AFTER_MS);
  }

  async #resume(id: string): Promise<void> {
    await this.options.store.resume();
    // An answer that ends in somebody else's conversation isn't an edit by the person.
    if (this.#conversation.id === id && this.#conversation.isForeign)
      this.#saved = hashContent(this.options.store.workbench);
  }

  /** Begins a new conversation, without saving the open one. */
  begin(): void {
    this.#timer.stop();
    this.#saved = null;
    this.#change(createConversation());
  }

  /** The open conversation was deleted elsewhere. */
  tellDeleted(): void {
    this.#change({ state: { kind: "stale", current: null, isDeleted: true } });
  }

  /** On a conflict, saves this workbench as a separate conversation. */
  async saveCopy(): Promise<void> {
    const { title, state } = this.#conversation;
    const isDeleted = state.kind === "stale" && state.isDeleted;
    const copy = isDeleted ? title : titleCopy(title, this.options.store.workbench);
    this.#conversation = { ...createConversation(), title: copy };
    this.#saved = null;
    await this.#saveInTurn();
  }

  /** @returns true if it was saved, whatever changed meanwhile. */
  share(isShared: boolean): Promise<boolean> {
    return this.#saveInTurn({ isShared });
  }

  /** @returns true if it was saved, whatever changed meanwhile. */
  rename(title: string): Promise<boolean> {
    return this.#saveInTurn({ title });
  }

  /**
   * Saves pending edits.
   * @returns true if they were saved, whatever changed meanwhile.
   */
  async save(): Promise<boolean> {
    await this.#saving;
    return !this.isUnsaved() || this.#saveInTurn();
  }

  /**
   * Saves pending edits.
   * @returns true if leaving now loses nothing.
   */
  async flush(): Promise<boolean> {
    return (await this.save()) && !this.isUnsaved();
  }

  isUnsaved(): boolean {
    const { storesConversations, store } = this.options;
    const isNew = isBlank(store.workbench) && this.#conversation.state.kind !== "stale";
    return storesConversations && !isNew && hashContent(store.workbench) !== this.#saved;
  }

  async #saveInTurn(change: Label = {}): Promise<boolean> {
    while (this.#saving) await this.#saving;
    this.#timer.stop();
    this.#saving = this.#save(change).finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  async #save(change: Label): Promise<boolean> {
    const { state, ...before } = this.#conversation;
    const { workbench } = this.options.store;
    if (state.kind === "stale") return false;
    const { id, version, ...label } = { ...before, ...change };
    const body = buildConversationBody(workbench, label, this.options.projectId);
    if (!body) return this.#fail(TOO_LARGE);
    const sent = hashContent(workbench);
    this.#recognize(sent);
    this.#change({ state: { kind: "saving" } });
    const reply = await this.options.gateway.save({ id, body, ...(version !== null && { version }) });
    if (this.#conversation.id !== id) return false;
    if (!reply.ok) return this.#afterRefusal(reply, change);
    this.#saved = sent;
    const isSame = hashContent(this.options.store.workbench) === sent;
    const saved = { isForeign: false, author: null, version: reply.data.version ?? null, known: [sent] };
    this.#change({ ...change, ...saved, state: { kind: isSame ? "saved" : "unsaved" } });
    if (!isSame) this.#later(SAVE_AFTER_MS);
    return true;
  }

  async #afterRefusal(reply: Refused, change: Label): Promise<boolean> {
    if (reply.code !== "stale") {
      if (reply.code === "unreachable" || reply.code === "failed" || reply.code === "rate_limited")
        this.#later(RETRY_AFTER_MS);
      return this.#fail(reply.message);
    }
    const current = reply.current.state === "changed" ? (reply.current.object as Conversation) : null;
    const workbench = current && (await readStoredWorkbench(current).catch(() => null));
    const saved = workbench && hashContent(workbench);
    // Another tab followed the same answer.
    if (saved && saved === hashContent(this.options.store.workbench) && Object.keys(change).length === 0) {
      this.#saved = saved;
      this.#change({ ...storedProperties(current, workbench), known: [saved], state: { kind: "saved" } });
      return true;
    }
    // The conflict is with an own save whose reply was lost, or with a new title. Saving again overwrites nothing.
    const isOurs = saved && this.#conversation.known.includes(saved);
    if (isOurs && current.version !== this.#conversation.version) {
      this.#change({ ...storedProperties(current, workbench), state: { kind: "unsaved" } });
      return this.#save(change);
    }
    this.#change({ state: { kind: "stale", current, isDeleted: reply.current.state === "deleted" } });
    return false;
  }

  /** Takes this content as known: the one here was made from it, so they don't conflict. */
  #recognize(hash: string): void {
    this.#change({ known: [...this.#conversation.known, hash].slice(-MAX_KNOWN) });
  }

  #fail(reason: string): false {
    this.#change({ state: { kind: "failed", reason } });
    return false;
  }

  #due(): void {
    const { store } = this.options;
    // Don't save on every streamed token.
    if (this.#saving || store.workbench.panes.some(endsWithPage)) return this.#later(SAVE_AFTER_MS);
    if (this.#conversation.state.kind === "stale") return;
    if (this.isUnsaved()) void this.#saveInTurn();
    else if (!isBlank(store.workbench)) this.#change({ state: { kind: "saved" } });
  }

  #later(ms: number): void {
    if (this.options.storesConversations) this.#timer.start(ms);
  }

  #change(next: Partial<OpenConversation>): void {
    this.#conversation = { ...this.#conversation, ...next };
    for (const listener of this.#listeners) listener();
  }
}

/** Does its work once after a delay. Starting it again before that changes nothing. */
class DueTimer {
  #timer: number | null = null;

  constructor(
    private readonly timers: Timers,
    private readonly work: () => void,
  ) {}

  start(ms: number): void {
    this.#timer ??= this.timers.set(() => {
      this.#timer = null;
      this.work();
    }, ms);
  }

  stop(): void {
    if (this.#timer !== null) this.timers.clear(this.#timer);
    this.#timer = null;
  }
}
