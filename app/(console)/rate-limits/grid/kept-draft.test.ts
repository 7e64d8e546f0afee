import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { keepDraft } from "./kept-draft";
import { LimitDraft } from "./limit-draft";
import { planSet } from "./plan-edits";
import { createPair } from "./testing/create-pair";

const globals = globalThis as unknown as Record<string, unknown>;
const owner = { person: "ada", organization: "org_1" };
const bot = createPair("Bot", "gpt-5");
const search = createPair("Search", "gpt-5");
const all = () => true;
const never = () => {
  throw new Error("there is room");
};
let stored: Map<string, string>;

beforeEach(() => {
  jest.useFakeTimers();
  stored = new Map();
  globals["localStorage"] = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  };
  globals["window"] = new EventTarget();
});
afterEach(() => {
  jest.useRealTimers();
  delete globals["localStorage"];
  delete globals["window"];
});

function type(draft: LimitDraft, pair = bot, text = "5"): void {
  draft.apply(planSet(draft, { pairs: [pair], columns: [0] }, text).edits);
}

test("what is typed is kept after a moment, also text that isn't understood, and is there again", () => {
  const draft = new LimitDraft();
  keepDraft(draft, owner, all, never);
  type(draft);
  type(draft, search, "many");
  expect(stored.size).toBe(0);
  jest.advanceTimersByTime(1_000);
  const again = new LimitDraft();
  keepDraft(again, owner, all, never);
  expect([...again.rows()]).toEqual([...draft.rows()]);
  expect(again.counts()).toEqual({ changes: 2, faults: 1, pairs: 2 });
  expect(again.canUndo()).toBe(false);
});

test("leaving the page keeps what was just typed, and an empty draft leaves nothing behind", () => {
  const draft = new LimitDraft();
  const end = keepDraft(draft, owner, all, never);
  type(draft);
  end();
  expect(stored.size).toBe(1);
  keepDraft(draft, owner, all, never);
  draft.replace([]);
  (globals["window"] as EventTarget).dispatchEvent(new Event("pagehide"));
  expect(stored.size).toBe(0);
});

test("a project's grid leaves the draft of other projects as it is, and nobody sees that of another person", () => {
  const whole = new LimitDraft();
  const end = keepDraft(whole, owner, all, never);
  type(whole);
  type(whole, search);
  end();
  const one = new LimitDraft();
  const endOne = keepDraft(one, owner, (pair) => pair === bot.key, never);
  expect(one.counts().pairs).toBe(1);
  one.replace([]);
  endOne();
  const again = new LimitDraft();
  keepDraft(again, owner, all, never);
  expect([...again.rows().keys()]).toEqual([search.key]);
  const other = new LimitDraft();
  keepDraft(other, { ...owner, person: "bob" }, all, never);
  expect(other.counts().pairs).toBe(0);
});

test("what another tab keeps arrives here", () => {
  const [here, there] = [new LimitDraft(), new LimitDraft()];
  keepDraft(here, owner, all, never);
  const end = keepDraft(there, owner, all, never);
  type(there);
  end();
  const [key] = [...stored.keys()];
  (globals["window"] as EventTarget).dispatchEvent(Object.assign(new Event("storage"), { key }));
  expect(here.counts().changes).toBe(1);
});

test.each([
  "not JSON",
  "{}",
  '[["a b","nope",{}]]',
  '[["a b","max_requests_per_1_day",{"to":-1,"base":{"value":1,"isOwn":true}}]]',
])("%s in the storage is no draft", (text) => {
  stored.set(`gatehouse:limit-draft:${JSON.stringify([owner.person, owner.organization])}`, text);
  const draft = new LimitDraft();
  keepDraft(draft, owner, all, never);
  expect(draft.counts().changes).toBe(0);
});

test("a browser without room says so", () => {
  const draft = new LimitDraft();
  let told = 0;
  const refuse = () => {
    throw new Error("QuotaExceededError");
  };
  Object.assign(globals["localStorage"] as object, { setItem: refuse });
  keepDraft(draft, owner, all, () => told++);
  type(draft);
  jest.advanceTimersByTime(1_000);
  expect(told).toBe(1);
});
