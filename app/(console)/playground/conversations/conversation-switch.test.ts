import { expect, test } from "bun:test";
import type { Conversation } from "@/lib/contract/operations/playground/conversations";
import { createGateway, draftsIn, openTab } from "../testing/autosave-tabs";

test("an answer goes on if the other conversation can't be read, or the open one can't be saved", async () => {
  const gateway = createGateway();
  const [tab, other] = [openTab(gateway), openTab(gateway)];
  other.write("other");
  await other.pass();
  const { id } = other.autosave.conversation;
  tab.write("mine");
  expect(await tab.conversations.open("conv_unknown")).toBe("There is none.");
  gateway.saved.set("conv_later", { ...(gateway.saved.get(id) as Conversation), content: { version: 999 } });
  expect(await tab.conversations.open("conv_later")).toContain("another version of the console");
  tab.write("mine, and more");
  gateway.fault.isAway = true;
  expect(await tab.conversations.open(id)).toContain("not saved");
  expect(await tab.conversations.startAnother()).toBe(false);
  expect([tab.store.stopped, tab.store.workbench.draft]).toEqual([0, "mine, and more"]);
  gateway.fault.isAway = false;
  expect(await tab.conversations.open(id)).toBeNull();
  expect([tab.store.stopped, tab.store.workbench.draft]).toEqual([1, "other"]);
});

test("what is typed while a new conversation waits for the save of the open one is its draft", async () => {
  const gateway = createGateway();
  const tab = openTab(gateway);
  tab.write("begun");
  expect(tab.conversations.isStarting).toBe(false);
  const starting = tab.conversations.startAnother();
  expect(tab.conversations.isStarting).toBe(true);
  tab.write("typed at once");
  expect(await starting).toBe(true);
  expect(tab.conversations.isStarting).toBe(false);
  expect(tab.store.workbench.draft).toBe("typed at once");
  expect(await tab.conversations.startAnother()).toBe(true);
  expect(tab.store.workbench.draft).toBe("");
});

test("while the gateway is unreachable, no conversation is left and no other begins", async () => {
  const gateway = createGateway();
  const tab = openTab(gateway);
  tab.write("mine");
  gateway.fault.isAway = true;
  expect(await tab.conversations.startAnother()).toBe(false);
  expect([tab.state, tab.store.workbench.draft]).toEqual(["failed", "mine"]);
  gateway.fault.isAway = false;
  expect(await tab.conversations.startAnother()).toBe(true);
  expect([tab.store.workbench.draft, draftsIn(gateway)]).toEqual(["", ["mine"]]);
});

test("a tab with everything saved shows what another saved; one with an edit keeps it", async () => {
  const gateway = createGateway();
  const [first, idle, busy] = [openTab(gateway), openTab(gateway), openTab(gateway)];
  first.write("begun");
  await first.pass();
  const { id } = first.autosave.conversation;
  await idle.conversations.open(id);
  await busy.conversations.open(id);
  busy.write("mine");
  first.write("first");
  await first.pass();
  await Promise.all([idle.conversations.refresh(), busy.conversations.refresh()]);
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
  await own.conversations.open(id);
  expect(own.store.workbench.runAs?.id).toBe("key_1");
  gateway.saved.set(id, { ...(gateway.saved.get(id) as Conversation), is_own: false });
  const reader = openTab(gateway);
  await reader.conversations.open(id);
  expect([reader.state, reader.store.workbench.draft, reader.store.workbench.runAs]).toEqual([
    "saved",
    "as a key",
    undefined,
  ]);
});

test("what is written while a conversation is restored is kept, and the conversation isn't shown", async () => {
  const gateway = createGateway();
  const [first, second] = [openTab(gateway), openTab(gateway)];
  first.write("theirs");
  await first.pass();
  const found = gateway.saved.get(first.autosave.conversation.id) as Conversation;
  const showing = second.conversations.show(found, () => second.store.workbench.draft === "");
  second.write("mine");
  expect(await showing).toBeNull();
  expect([second.store.workbench.draft, second.store.stopped]).toEqual(["mine", 0]);
});
