import { expect, test } from "bun:test";
import { type CallState, type Message, newCallState } from "./messages/message";
import { newPane, type Pane } from "./panes/pane";
import { newWorkbench, withoutReturned, withReturned, withWritten } from "./workbench";

const pane = (...messages: Message[]): Pane => ({ ...newPane("m"), messages });
const user = (text: string): Message => ({ id: text, role: "user", text });
const answer = (text: string, state: CallState["state"] = "finished"): Message => ({
  id: text,
  role: "assistant",
  text,
  call: { ...newCallState("m", {}), state },
});

const refused = (text: string) => pane(user("a"), answer("b"), user(text), answer("", "refused"));
const refusedBy = (...panes: Pane[]) => ({ ...newWorkbench("m"), panes });
const texts = ({ panes }: { panes: readonly Pane[] }) =>
  panes.map(({ messages }) => messages.map(({ text }) => text).join());

test("the next message replaces a refused one only if the composer got that one back", () => {
  const workbench = refusedBy(refused("c"), refused("c"));
  const returned = withReturned(workbench, "c");
  expect(returned.draft).toBe("c");
  expect(texts(withWritten({ ...returned, draft: "corrected" }, "corrected", []))).toEqual([
    "a,b,corrected",
    "a,b,corrected",
  ]);
  expect(texts(withWritten(workbench, "next", []))).toEqual(["a,b,c,,next", "a,b,c,,next"]);
});

test("a refused message stays in its pane if it isn't put back, or was edited there since", () => {
  const typing = { ...refusedBy(refused("c")), draft: "more" };
  expect(withReturned(typing, "c")).toBe(typing);
  expect(withReturned(refusedBy(refused("c"), pane(user("c"), answer("d"))), "c").draft).toBe("");
  const edited = { ...withReturned(refusedBy(refused("c")), "c"), panes: [refused("edited")] };
  expect(texts(withWritten(edited, "c", []))).toEqual(["a,b,edited,,c"]);
});

test("a message that is answered again leaves the composer, unless it was changed there", () => {
  const returned = withReturned(refusedBy(refused("c")), "c");
  expect(withoutReturned(returned).draft).toBe("");
  const changed = withoutReturned({ ...returned, draft: "c, please" });
  expect(changed.draft).toBe("c, please");
  expect(texts(withWritten(changed, "c, please", []))).toEqual(["a,b,c,,c, please"]);
});

test("what was typed since a message was sent stays in the composer", () => {
  const drafted = (draft: string) => withWritten({ ...newWorkbench("m"), draft }, "Hi", []);
  expect(["Hi", "Hi and more", "Other", ""].map((draft) => drafted(draft).draft)).toEqual([
    "",
    " and more",
    "Other",
    "",
  ]);
  expect(drafted("Hi and more").panes[0]?.messages.map(({ text }) => text)).toEqual(["Hi"]);
});
