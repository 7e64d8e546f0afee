import type { ConversationGateway } from "@/components/playground/conversations/open-conversation";
import { newWorkbench, type Workbench } from "@/components/playground/workbench";
import { createProblem } from "@/lib/console/gateway/problem";
import type { Conversation } from "@/lib/contract/operations/playground/conversations";
import { ConversationAutosave } from "../conversations/conversation-autosave";
import { ConversationSwitch } from "../conversations/conversation-switch";

/** A fake gateway that stores versioned conversations and can lose its next reply. */
export function createGateway() {
  const saved = new Map<string, Conversation>();
  let versions = 0;
  const fault = { isAway: false, losesReply: false };
  const away = { ok: false as const, ...createProblem("unreachable", "The console does not answer.") };
  const gateway: ConversationGateway = {
    async save({ id, body, version }) {
      if (fault.isAway) return away;
      const before = saved.get(id) ?? null;
      if (before?.version !== version) {
        const current = before
          ? { state: "changed" as const, object: before }
          : { state: "deleted" as const };
        return { ok: false, ...createProblem("failed", "Stale"), code: "stale", current };
      }
      const data = {
        object: "playground.conversation" as const,
        id,
        project_id: null,
        is_shared: false,
        is_own: true,
        created_at: 0,
        updated_at: 0,
        ...structuredClone(body),
        version: `v${++versions}`,
      } as Conversation;
      saved.set(id, data);
      if (!fault.losesReply) return { ok: true, data };
      fault.losesReply = false;
      return away;
    },
    async read(id) {
      const data = saved.get(id);
      return data
        ? { ok: true, data: structuredClone(data) }
        : { ok: false, ...createProblem("not_found", "There is none.") };
    },
  };
  return { gateway, saved, fault };
}

function createStore() {
  const listeners = new Set<() => void>();
  const change = (next: (workbench: Workbench) => Workbench) => {
    store.workbench = next(store.workbench);
    for (const listener of listeners) listener();
  };
  const store = {
    workbench: newWorkbench("m"),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change,
    stopped: 0,
    stopCallsOfPage: () => void store.stopped++,
    detach: () => {},
    resume: async () => {},
    clear: (written?: string) =>
      change(({ draft }) => ({ ...newWorkbench("m"), draft: draft === (written ?? draft) ? "" : draft })),
  };
  return store;
}

/** A tab of the playground whose save timer the test runs by hand. */
export function openTab({ gateway }: ReturnType<typeof createGateway>) {
  let due: (() => void) | null = null;
  const timers = {
    set: (work: () => void) => {
      due = work;
      return 1;
    },
    clear: () => {
      due = null;
    },
  };
  const store = createStore();
  const autosave = new ConversationAutosave({
    store,
    gateway,
    projectId: null,
    storesConversations: true,
    timers,
  });
  autosave.follow();
  return {
    autosave,
    conversations: new ConversationSwitch(autosave, { store, gateway }),
    store,
    write: (draft: string) => store.change((workbench) => ({ ...workbench, draft })),
    /** Runs the pending timer and saves what is left. */
    async pass() {
      due?.();
      await autosave.flush();
    },
    get state() {
      return autosave.conversation.state.kind;
    },
  };
}

/** The drafts that the gateway has, sorted. */
export const draftsIn = ({ saved }: ReturnType<typeof createGateway>) =>
  [...saved.values()].map(({ content }) => content.draft).toSorted();
