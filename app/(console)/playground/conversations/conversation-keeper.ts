import type { ActionReply } from "@/lib/console/gateway/problem";
import type { Conversation } from "@/lib/contract/operations/conversations";
import { afterLeaving, type Bench, endsWithPage, goesOnWithoutPage } from "../panes/pane";
import { type KeeperOptions, type Keeping, newKeeping, ownOf } from "./keeping";
import { benchOf, contentOf, fingerprintOf, isBlank, titleOf } from "./kept-content";

/** Properties that can change without the workbench. */
type Label = Partial<Pick<Keeping, "title" | "isShared">>;

const KEEP_AFTER_MS = 1_000;
const AGAIN_AFTER_MS = 10_000;
const MAX_KNOWN = 8;
const TOO_LARGE = "It is larger than 2 MB. Remove images or files, or begin a new conversation.";
const UNREADABLE = "This conversation was kept by another version of the console, and can't be shown here.";

/**
 * Saves the workbench to the gateway shortly after each edit, one save at a time. Never overwrites what another tab, session or
 * person has saved.
 */
export class ConversationKeeper {
  #keeping = newKeeping();
  /** The workbench shown by the last `take`. Showing it isn't an edit. */
  #shown: Bench | null = null;
  /** The hash of the saved workbench. */
  #kept: string | null = null;
  #saving: Promise<boolean> | null = null;
  #timer: number | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly options: KeeperOptions) {}

  get keeping(): Keeping {
    return this.#keeping;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Saves after edits until the returned function is called. */
  follow(): () => void {
    return this.options.store.subscribe(() => {
      if (this.options.store.bench === this.#shown) return;
      const { kind } = this.#keeping.state;
      if (kind === "failed") this.#stopTimer();
      // While an answer streams, the gateway stores it. Its text doesn't need to be saved from here.
      const isSaved = kind === "saved" && !this.options.store.bench.panes.some(goesOnWithoutPage);
      if (isSaved || kind === "failed") this.#change({ state: { kind: "unsaved" } });
      this.#later(KEEP_AFTER_MS);
    });
  }

  /** Shows a stored workbench. */
  take(bench: Bench, keeping: Keeping): void {
    this.#stopTimer();
    this.#keeping = keeping;
    this.#kept = keeping.state.kind === "saved" ? fingerprintOf(bench) : null;
    this.#shown = bench;
    this.options.store.change(() => bench);
    this.#change({});
    void this.#resume(keeping.id);
    if (keeping.state.kind === "unsaved") this.#later(KEEP_AFTER_MS);
  }

  async #resume(id: string): Promise<void> {
    await this.options.store.resume();
    // An answer that ends in somebody else's conversation isn't an edit by the person.
    if (this.#keeping.id === id && this.#keeping.isForeign)
      this.#kept = fingerprintOf(this.options.store.bench);
  }

  /** If everything is saved here, shows a newer version that another session has saved. */
  async refresh(): Promise<void> {
    const { id, version, isForeign, state } = this.#keeping;
    if (state.kind !== "saved" || isForeign || version === null) return;
    const reply = await this.options.gateway.read(id);
    if (this.#keeping.id !== id || this.#isUnsaved()) return;
    if (reply.ok && reply.data.version !== version) this.show(reply.data);
    if (!reply.ok && reply.code === "not_found") this.#change({ state: { kind: "stale", current: null } });
  }

  /** Saves the current conversation, then opens another. @returns the reason of a failure as a sentence; null on success. */
  async open(id: string): Promise<string | null> {
    this.options.store.stopPassing();
    if (!(await this.flush())) return this.#whyUnsaved();
    const reply = await this.options.gateway.read(id);
    if (!reply.ok) return reply.message;
    if (!(await this.flush())) return this.#whyUnsaved();
    return this.show(reply.data);
  }

  /** Replaces the workbench with a conversation from the gateway. @returns why it failed, as a sentence; null on success. */
  show(found: Conversation): string | null {
    const bench = benchOf(found.content);
    if (!bench) return UNREADABLE;
    this.options.store.stopPassing();
    this.options.store.detach();
    const state = { kind: "saved" as const };
    const known = [fingerprintOf(bench)];
    const own = { ...ownOf(found, bench), id: found.id, isForeign: false, known, state };
    this.take(afterLeaving(bench), found.is_own ? own : { ...newKeeping(), isForeign: true, known, state });
    return null;
  }

  /** Starts a new conversation. @returns false if the current one couldn't be saved. */
  async startAnother(discard: boolean): Promise<boolean> {
    this.options.store.stopPassing();
    if (!discard && !(await this.flush())) return false;
    this.options.store.detach();
    this.#stopTimer();
    this.#keeping = newKeeping();
    this.#kept = null;
    this.options.store.clear();
    this.#change({});
    return true;
  }

  /** On a conflict, saves this workbench as a separate conversation. */
  async keepBoth(): Promise<void> {
    const { title, state } = this.#keeping;
    const isGone = state.kind === "stale" && state.current === null;
    const copy = isGone ? title : `${(title ?? titleOf(this.options.store.bench)).slice(0, 70)} (copy)`;
    this.#keeping = { ...newKeeping(), title: copy };
    this.#kept = null;
    await this.#saveInTurn();
  }

  /** @returns true if it was saved. */
  share(isShared: boolean): Promise<boolean> {
    return this.#saveInTurn({ isShared });
  }

  /** @returns true if it was saved. */
  rename(title: string): Promise<boolean> {
    return this.#saveInTurn({ title });
  }

  /** Saves pending edits. @returns true if leaving now loses nothing. */
  async flush(): Promise<boolean> {
    await this.#saving;
    return !this.#isUnsaved() || (await this.#saveInTurn()) || !this.#isUnsaved();
  }

  #isUnsaved(): boolean {
    const { isOffered, store } = this.options;
    if (!isOffered || (isBlank(store.bench) && this.#keeping.state.kind !== "stale")) return false;
    return fingerprintOf(store.bench) !== this.#kept;
  }

  #whyUnsaved(): string {
    const { state } = this.#keeping;
    if (state.kind === "failed") return `The open conversation is not saved: ${state.reason}`;
    return "Another tab or session has changed the open conversation. Decide first what is kept of it.";
  }

  async #saveInTurn(change: Label = {}): Promise<boolean> {
    while (this.#saving) await this.#saving;
    this.#stopTimer();
    this.#saving = this.#save(change).finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  async #save(change: Label): Promise<boolean> {
    const { state, ...before } = this.#keeping;
    const { bench } = this.options.store;
    if (state.kind === "stale") return false;
    const content = contentOf(bench);
    if (!content) return this.#fail(TOO_LARGE);
    const print = fingerprintOf(bench);
    this.#change({ known: [...before.known, print].slice(-MAX_KNOWN), state: { kind: "saving" } });
    const { id, version, title, isShared } = { ...before, ...change };
    const draft = {
      title: title ?? titleOf(bench),
      project_id: this.options.projectId,
      is_shared: isShared,
      content,
    };
    const reply = await this.options.gateway.save({ id, draft, ...(version !== null && { version }) });
    if (this.#keeping.id !== id) return false;
    if (!reply.ok) return this.#afterRefusal(reply, change);
    this.#kept = print;
    const isSame = fingerprintOf(this.options.store.bench) === print;
    const kind = isSame ? "saved" : "unsaved";
    this.#change({
      ...change,
      isForeign: false,
      version: reply.data.version ?? null,
      known: [print],
      state: { kind },
    });
    if (!isSame) this.#later(KEEP_AFTER_MS);
    return isSame;
  }

  async #afterRefusal(
    reply: Extract<ActionReply<Conversation>, { ok: false }>,
    change: Label,
  ): Promise<boolean> {
    if (reply.code !== "stale") {
      if (reply.code === "unreachable" || reply.code === "failed" || reply.code === "rate_limited")
        this.#later(AGAIN_AFTER_MS);
      return this.#fail(reply.message);
    }
    const current = reply.current as Conversation | null;
    const bench = current && benchOf(current.content);
    const isOurs = bench && this.#keeping.known.includes(fingerprintOf(bench));
    // The conflict is with an own save whose reply was lost, or with a new title. Saving again overwrites nothing.
    if (isOurs && current.version !== this.#keeping.version) {
      this.#change({ ...ownOf(current, bench), state: { kind: "unsaved" } });
      return this.#save(change);
    }
    this.#change({ state: { kind: "stale", current } });
    return false;
  }

  #fail(reason: string): false {
    this.#change({ state: { kind: "failed", reason } });
    return false;
  }

  #due(): void {
    const { store } = this.options;
    // Don't save on every streamed token.
    if (this.#saving || store.bench.panes.some(endsWithPage)) return this.#later(KEEP_AFTER_MS);
    if (this.#keeping.state.kind === "stale") return;
    if (this.#isUnsaved()) void this.#saveInTurn();
    else if (!isBlank(store.bench)) this.#change({ state: { kind: "saved" } });
  }

  #later(ms: number): void {
    if (!this.options.isOffered || this.#timer !== null) return;
    this.#timer = this.options.timers.set(() => {
      this.#timer = null;
      this.#due();
    }, ms);
  }

  #stopTimer(): void {
    if (this.#timer !== null) this.options.timers.clear(this.#timer);
    this.#timer = null;
  }

  #change(next: Partial<Keeping>): void {
    this.#keeping = { ...this.#keeping, ...next };
    for (const listener of this.#listeners) listener();
  }
}
