import { expect, test } from "bun:test";
import { type Message, newCallState } from "@/components/playground/messages/message";
import type { Workbench } from "@/components/playground/workbench";
import type { Conversation } from "@/lib/contract/operations/playground/conversations";
import { createGateway, draftsIn, openTab } from "../testing/autosave-tabs";

test("saves the conversation, so that another tab finds it", async () => {
  const gateway = createGateway();
  const tab = openTab(gateway);
  tab.write("half a thou");
  await tab.pass();
  expect([tab.state, draftsIn(gateway)]).toEqual(["saved", ["half a thou"]]);
  const other = openTab(gateway);
  expect(await other.conversations.open(tab.autosave.conversation.id)).toBeNull();
  expect([other.state, other.store.workbench.draft]).toEqual(["saved", "half a thou"]);
});

test("a stale tab overwrites nothing, and both versions are saved", async () => {
  const gateway = createGateway();
  const [first, second] = [openTab(gateway), openTab(gateway)];
  first.write("begun");
  await first.pass();
  await second.conversations.open(first.autosave.conversation.id);
  first.write("first");
  await first.pass();
  second.write("second");
  await second.pass();
  expect([second.state, draftsIn(gateway)]).toEqual(["stale", ["first"]]);
  second.write("second, longer");
  await second.pass();
  expect(await second.conversations.open("conv_other")).toContain("Decide first");
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
  await second.conversations.open(id);
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

test("says that a conversation was deleted elsewhere, and can save it again", async () => {
  const gateway = createGateway();
  const tab = openTab(gateway);
  tab.write("mine");
  await tab.pass();
  gateway.saved.clear();
  tab.write("mine still");
  await tab.pass();
  expect(tab.autosave.conversation.state).toEqual({ kind: "stale", current: null, isDeleted: true });
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
  await reader.conversations.open(id);
  await reader.pass();
  expect([reader.autosave.conversation.isForeign, gateway.saved.size]).toEqual([true, 1]);
  reader.write("mine");
  await reader.pass();
  expect([reader.autosave.conversation.isForeign, draftsIn(gateway)]).toEqual([false, ["mine", "theirs"]]);
});

const withAnswer = (state: "answering" | "finished", totalMs: number | null) => (workbench: Workbench) => {
  const call = { ...newCallState("m", {}), state, totalMs };
  const message: Message = { id: "a", role: "assistant", text: "made", call };
  return { ...workbench, panes: workbench.panes.map((pane) => ({ ...pane, messages: [message] })) };
};

/**
 * Saves a conversation whose answer has begun.
 * @returns its id.
 */
async function answerIn({ store, autosave }: ReturnType<typeof openTab>): Promise<string> {
  store.change(withAnswer("answering", null));
  await autosave.flush();
  return autosave.conversation.id;
}

test("two tabs that follow the same answer both keep it: the second shows no conflict and overwrites no times", async () => {
  const gateway = createGateway();
  const [first, second] = [openTab(gateway), openTab(gateway)];
  const id = await answerIn(first);
  await second.conversations.open(id);
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
  await second.conversations.open(id);
  second.store.change(withAnswer("answering", null));
  first.store.change(withAnswer("finished", 900));
  second.store.change(withAnswer("finished", 900));
  second.write("and then?");
  await first.pass();
  await second.pass();
  expect([second.state, draftsIn(gateway)]).toEqual(["saved", ["and then?"]]);
  expect(JSON.stringify(gateway.saved.get(id)?.content)).toContain("made");
});
