import { expect, test } from "bun:test";
import { plainProblem } from "@/lib/console/gateway/problem";
import type { Conversation } from "@/lib/contract/operations/conversations";
import { newWorkbench, type Workbench } from "../panes/pane";
import { ConversationAutosave } from "./conversation-autosave";
import type { ConversationGateway } from "./open-conversation";

/** A fake gateway that stores versioned conversations and can lose its next reply. */
function createGateway() {
  const saved = new Map<string, Conversation>();
  let versions = 0;
  const fault = { isAway: false, losesReply: false };
  const away = { ok: false as const, ...plainProblem("unreachable", "The console does not answer.") };
  const gateway: ConversationGateway = {
    async save({ id, draft, version }) {
      if (fault.isAway) return away;
      const before = saved.get(id) ?? null;
      if (before?.version !== version) {
        const stale = { ...plainProblem("failed", "Stale"), code: "stale" as const, current: before };
        return { ok: false, ...stale };
      }
      const data = {
        object: "playground.conversation" as const,
        id,
        project_id: null,
        is_shared: false,
        is_own: true,
        created_at: 0,
        updated_at: 0,
        ...structuredClone(draft),
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
        : { ok: false, ...plainProblem("not_found", "There is none.") };
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
    stopPassing: () => {},
    detach: () => {},
    resume: async () => {},
    clear: () => change(() => newWorkbench("m")),
  };
  return store;
}

function openTab({ gateway }: ReturnType<typeof createGateway>) {
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
  const autosave = new ConversationAutosave({ store, gateway, projectId: null, isOffered: true, timers });
  autosave.follow();
  return {
    autosave,
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

const draftsIn = ({ saved }: ReturnType<typeof createGateway>) =>
  [...saved.values()].map(({ content }) => content.draft).toSorted();

test("saves the conversation, so that another tab finds it", async () => {
  const gateway = createGateway();
  const tab = openTab(gateway);
  tab.write("half a thou");
  await tab.pass();
  expect([tab.state, draftsIn(gateway)]).toEqual(["saved", ["half a thou"]]);
  const other = openTab(gateway);
  expect(await other.autosave.open(tab.autosave.conversation.id)).toBeNull();
  expect([other.state, other.store.workbench.draft]).toEqual(["saved", "half a thou"]);
});

test("a stale tab overwrites nothing, and both versions are saved", async () => {
  const gateway = createGateway();
  const [first, second] = [openTab(gateway), openTab(gateway)];
  first.write("begun");
  await first.pass();
  await second.autosave.open(first.autosave.conversation.id);
  first.write("first");
  await first.pass();
  second.write("second");
  await second.pass();
  expect([second.state, draftsIn(gateway)]).toEqual(["stale", ["first"]]);
  second.write("second, longer");
  await second.pass();
  expect(await second.autosave.open("conv_other")).toContain("Decide first");
  expect(second.store.workbench.draft).toBe("second, longer");
  await second.autosave.saveCopy();
  expect([second.state, draftsIn(gateway)]).toEqual(["saved", ["first", "second, longer"]]);
  expect(second.autosave.conversation.title).toBe("second, longer (copy)");
});

test("recognizes its own save after a lost reply, even after further edits", async () => {
  const gateway = createGateway();
  const tab = openTab(gateway);
  gateway.fault.losesReply = true;
  tab.write("sent");
  await tab.pass();
  tab.write("sent, and more");
  await tab.pass();
  expect([tab.state, draftsIn(gateway)]).toEqual(["saved", ["sent, and more"]]);
});

test("a title given in another tab stays, and so does the text written here", async () => {
  const gateway = createGateway();
  const [first, second] = [openTab(gateway), openTab(gateway)];
  first.write("begun");
  await first.pass();
  const { id } = first.autosave.conversation;
  await second.autosave.open(id);
  expect(await second.autosave.rename("Limits")).toBe(true);
  first.write("begun and done");
  await first.pass();
  expect(gateway.saved.get(id)).toMatchObject({ title: "Limits", content: { draft: "begun and done" } });
});

test("while the gateway is unreachable, no conversation is left and no other begins", async () => {
  const gateway = createGateway();
  const tab = openTab(gateway);
  tab.write("mine");
  gateway.fault.isAway = true;
  expect(await tab.autosave.startAnother(false)).toBe(false);
  expect([tab.state, tab.store.workbench.draft]).toEqual(["failed", "mine"]);
  gateway.fault.isAway = false;
  expect(await tab.autosave.startAnother(false)).toBe(true);
  expect([tab.store.workbench.draft, draftsIn(gateway)]).toEqual(["", ["mine"]]);
});

test("says that a conversation was deleted elsewhere, and can save it again", async () => {
  const gateway = createGateway();
  const tab = openTab(gateway);
  tab.write("mine");
  await tab.pass();
  gateway.saved.clear();
  tab.write("mine still");
  await tab.pass();
  expect(tab.autosave.conversation.state).toEqual({ kind: "stale", current: null });
  await tab.autosave.saveCopy();
  expect(draftsIn(gateway)).toEqual(["mine still"]);
});

test("another member's conversation is shown, and new text continues in a copy", async () => {
  const gateway = createGateway();
  const [owner, reader] = [openTab(gateway), openTab(gateway)];
  owner.write("theirs");
  await owner.pass();
  const { id } = owner.autosave.conversation;
  gateway.saved.set(id, { ...(gateway.saved.get(id) as Conversation), is_own: false });
  await reader.autosave.open(id);
  await reader.pass();
  expect([reader.autosave.conversation.isForeign, gateway.saved.size]).toEqual([true, 1]);
  reader.write("mine");
  await reader.pass();
  expect([reader.autosave.conversation.isForeign, draftsIn(gateway)]).toEqual([false, ["mine", "theirs"]]);
});
