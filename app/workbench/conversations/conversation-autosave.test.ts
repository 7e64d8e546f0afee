import { expect, test } from "bun:test";
import type { Conversation } from "@/lib/contract/operations/conversations";
import { type Message, newCallState } from "../messages/message";
import type { Workbench } from "../panes/pane";
import { createGateway, draftsIn, openTab } from "../testing/autosave-tabs";

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

test("what is typed while a new conversation waits for the save of the open one is its draft", async () => {
  const gateway = createGateway();
  const tab = openTab(gateway);
  tab.write("begun");
  const starting = tab.autosave.startAnother(false);
  tab.write("typed at once");
  expect(await starting).toBe(true);
  expect(tab.store.workbench.draft).toBe("typed at once");
  expect(await tab.autosave.startAnother(false)).toBe(true);
  expect(tab.store.workbench.draft).toBe("");
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

test("a title and a shared link are saved also while the text goes on changing", async () => {
  const gateway = createGateway();
  const tab = openTab(gateway);
  tab.write("begun");
  await tab.pass();
  const { id } = tab.autosave.conversation;
  for (const [label, save] of [
    [{ title: "Limits" }, () => tab.autosave.rename("Limits")],
    [{ is_shared: true }, () => tab.autosave.share(true)],
  ] as const) {
    const saving = save();
    tab.write(`${tab.store.workbench.draft}, and more`);
    expect([label, await saving, tab.state]).toEqual([label, true, "unsaved"]);
    expect(gateway.saved.get(id)).toMatchObject(label);
  }
  await tab.pass();
  expect([tab.state, draftsIn(gateway)]).toEqual(["saved", ["begun, and more, and more"]]);
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

const withAnswer = (state: "answering" | "finished", totalMs: number | null) => (workbench: Workbench) => {
  const run = { ...newCallState("m", {}), state, totalMs };
  const message: Message = { id: "a", role: "assistant", text: "made", run };
  return { ...workbench, panes: workbench.panes.map((pane) => ({ ...pane, messages: [message] })) };
};

/** Saves a conversation whose answer has begun. @returns its id. */
async function answerIn({ store, autosave }: ReturnType<typeof openTab>): Promise<string> {
  store.change(withAnswer("answering", null));
  await autosave.flush();
  return autosave.conversation.id;
}

test("two tabs that follow the same answer both keep it: the second shows no conflict and overwrites no times", async () => {
  const gateway = createGateway();
  const [first, second] = [openTab(gateway), openTab(gateway)];
  const id = await answerIn(first);
  await second.autosave.open(id);
  first.store.change(withAnswer("finished", 900));
  second.store.change(withAnswer("finished", null));
  await first.pass();
  const version = first.autosave.conversation.version;
  await second.pass();
  expect([second.state, second.autosave.conversation.version]).toEqual(["saved", version]);
  expect(JSON.stringify(gateway.saved.get(id)?.content)).toContain('"totalMs":900');
  second.write("and then?");
  await second.pass();
  expect([second.state, draftsIn(gateway)]).toEqual(["saved", ["and then?"]]);
});

test("a message written in the second tab before it has saved the end of the same answer is saved on top of it", async () => {
  const gateway = createGateway();
  const [first, second] = [openTab(gateway), openTab(gateway)];
  const id = await answerIn(first);
  await second.autosave.open(id);
  second.store.change(withAnswer("answering", null));
  first.store.change(withAnswer("finished", 900));
  second.store.change(withAnswer("finished", 900));
  second.write("and then?");
  await first.pass();
  await second.pass();
  expect([second.state, draftsIn(gateway)]).toEqual(["saved", ["and then?"]]);
  expect(JSON.stringify(gateway.saved.get(id)?.content)).toContain("made");
});

test("a tab with everything saved shows what another saved; one with an edit keeps it", async () => {
  const gateway = createGateway();
  const [first, idle, busy] = [openTab(gateway), openTab(gateway), openTab(gateway)];
  first.write("begun");
  await first.pass();
  const { id } = first.autosave.conversation;
  await idle.autosave.open(id);
  await busy.autosave.open(id);
  busy.write("mine");
  first.write("first");
  await first.pass();
  await Promise.all([idle.autosave.refresh(), busy.autosave.refresh()]);
  expect([idle.store.workbench.draft, busy.store.workbench.draft]).toEqual(["first", "mine"]);
  await busy.pass();
  expect([busy.state, draftsIn(gateway)]).toEqual(["stale", ["first"]]);
});

test("somebody else's conversation runs as the person who opens it, not as the key it was written with", async () => {
  const gateway = createGateway();
  const author = openTab(gateway);
  author.write("as a key");
  author.store.change((workbench) => ({ ...workbench, runAs: { id: "key_1", name: "theirs" } }));
  await author.pass();
  const { id } = author.autosave.conversation;
  const own = openTab(gateway);
  await own.autosave.open(id);
  expect(own.store.workbench.runAs?.id).toBe("key_1");
  gateway.saved.set(id, { ...(gateway.saved.get(id) as Conversation), is_own: false });
  const reader = openTab(gateway);
  await reader.autosave.open(id);
  expect([reader.state, reader.store.workbench.draft, reader.store.workbench.runAs]).toEqual([
    "saved",
    "as a key",
    undefined,
  ]);
});
