import { afterAll, afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import * as unsaved from "../ui/dialog/unsaved";
import { followPerson, forgetPerson, isPersonReplaced } from "./page-person";

// What is released stays so, also for the tests of other files.
const released = spyOn(unsaved, "releaseUnsaved").mockImplementation(() => {});
afterAll(() => released.mockRestore());

/** The storage of a browser, shared by its tabs, and this tab's window. */
let stored: Map<string, string>;
let reloads: number;
let tab: EventTarget;
let stop: () => void;
const globals = globalThis as unknown as Record<string, unknown>;

beforeEach(() => {
  stored = new Map();
  reloads = 0;
  tab = new EventTarget();
  globals.localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  globals.window = Object.assign(tab, { location: { reload: () => reloads++ } });
  stop = () => {};
});
afterEach(() => {
  stop();
  delete globals.localStorage;
  delete globals.window;
});

/** What another tab does, and the event by which this one hears of it. */
function elsewhere(change: (key: string) => void) {
  const [key] = stored.keys();
  if (key === undefined) throw new Error("This tab has stored nobody.");
  change(key);
  tab.dispatchEvent(Object.assign(new Event("storage"), { key }));
}

test("a page is loaded anew once another tab signs in somebody else", () => {
  stop = followPerson("alice");
  elsewhere((key) => stored.set(key, "bob"));
  expect(isPersonReplaced()).toBe(true);
  expect(reloads).toBe(1);
  expect(released).toHaveBeenCalled();
});

test("a page is loaded anew once another tab signs out", () => {
  stop = followPerson("alice");
  elsewhere((key) => stored.delete(key));
  expect(reloads).toBe(1);
});

test("a page goes on when the same person opens another tab or signs in again", () => {
  stop = followPerson("alice");
  elsewhere((key) => stored.set(key, "alice"));
  tab.dispatchEvent(new Event("pageshow"));
  expect(isPersonReplaced()).toBe(false);
  expect(reloads).toBe(0);
});

test("a page that was frozen meanwhile is loaded anew when it is shown again", () => {
  stop = followPerson("alice");
  for (const key of stored.keys()) stored.set(key, "bob");
  tab.dispatchEvent(new Event("pageshow"));
  expect(reloads).toBe(1);
});

test("a page goes on in a browser that stores nothing", () => {
  globals.localStorage = undefined;
  stop = followPerson("alice");
  tab.dispatchEvent(new Event("pageshow"));
  expect(isPersonReplaced()).toBe(false);
  expect(reloads).toBe(0);
});

test("signing out here leaves nobody in the browser, and doesn't load this page anew", () => {
  stop = followPerson("alice");
  forgetPerson();
  expect([...stored.values()]).toEqual([]);
  expect(isPersonReplaced()).toBe(false);
});
