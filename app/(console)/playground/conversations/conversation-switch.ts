import {
  type AutosaveOptions,
  explainUnsaved,
  readStoredWorkbench,
  toOpenConversation,
} from "@/components/playground/conversations/open-conversation";
import { markStopped, type Workbench } from "@/components/playground/workbench";
import { describeConsoleFailure } from "@/components/queries/reads/fetch-read";
import type { Conversation } from "@/lib/contract/operations/playground/conversations";
import type { ConversationAutosave } from "./conversation-autosave";

const UNREADABLE = "This conversation was saved by another version of the console, and can’t be shown here.";

/** Leaves the open conversation for another. One that can’t be saved is not left, and its answers go on. */
export class ConversationSwitch {
  #isStarting = false;

  constructor(
    private readonly autosave: ConversationAutosave,
    private readonly options: Pick<AutosaveOptions, "store" | "gateway">,
  ) {}

  /**
   * Saves the current conversation, then opens another.
   * @returns the reason of a failure as a sentence; null on success.
   */
  async open(id: string): Promise<string | null> {
    // First, since it can be the same one, with edits that the gateway doesn’t have yet.
    if (!(await this.autosave.save())) return explainUnsaved(this.autosave.conversation.state);
    const reply = await this.options.gateway.read(id);
    if (!reply.ok) return reply.message;
    const workbench = await restore(reply.data);
    if (typeof workbench === "string") return workbench;
    if (!(await this.#saveAndStop())) return explainUnsaved(this.autosave.conversation.state);
    this.#load(reply.data, workbench);
    return null;
  }

  /**
   * Replaces the workbench with a conversation from the gateway, if that is still meant once it is restored.
   * @returns why it failed, as a sentence; null on success.
   */
  async show(found: Conversation, isMeant = () => true): Promise<string | null> {
    const workbench = await restore(found);
    if (typeof workbench === "string") return workbench;
    if (!isMeant()) return null;
    this.options.store.stopCallsOfPage();
    this.#load(found, workbench);
    return null;
  }

  /**
   * Starts a new conversation.
   * @param options.discards whether the current one is left as it is, unsaved changes and all.
   * @returns false if the current one couldn't be saved.
   */
  async startAnother({ discards = false } = {}): Promise<boolean> {
    this.#isStarting = true;
    try {
      return await this.#leaveForAnother(discards);
    } finally {
      this.#isStarting = false;
    }
  }

  /** True while a new one is being started: what is sent to the open one then would be lost with it. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  async #leaveForAnother(discards: boolean): Promise<boolean> {
    const { store } = this.options;
    const { draft } = store.workbench;
    if (discards) store.stopCallsOfPage();
    else if (!(await this.#saveAndStop())) return false;
    store.detach();
    this.autosave.begin();
    store.clear(draft);
    return true;
  }

  /** If everything is saved here, shows a newer version that another session has saved. */
  async refresh(): Promise<void> {
    const { id, version, isForeign, state } = this.autosave.conversation;
    if (state.kind !== "saved" || isForeign || version === null) return;
    const reply = await this.options.gateway.read(id);
    const isMeant = () => this.autosave.conversation.id === id && !this.autosave.isUnsaved();
    if (!isMeant()) return;
    if (reply.ok && reply.data.version !== version) await this.show(reply.data, isMeant);
    if (!reply.ok && reply.code === "not_found") this.autosave.tellDeleted();
  }

  /** Stops the answers that end with the conversation only once it is saved, then saves how far they came. */
  async #saveAndStop(): Promise<boolean> {
    if (!(await this.autosave.save())) return false;
    this.options.store.stopCallsOfPage();
    return this.autosave.flush();
  }

  #load(found: Conversation, workbench: Workbench): void {
    this.options.store.detach();
    this.autosave.load(markStopped(workbench), toOpenConversation(found, workbench));
  }
}

/** Returns the stored workbench, or why it can't be shown. */
async function restore(found: Conversation): Promise<Workbench | string> {
  try {
    return (await readStoredWorkbench(found)) ?? UNREADABLE;
  } catch (error) {
    return describeConsoleFailure(error, "none").message;
  }
}
