import { afterAll, afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import * as unsaved from "../dialog/unsaved";

// What is released stays so, also for the tests of other files.
const released = spyOn(unsaved, "releaseUnsaved").mockImplementation(() => {});
afterAll(() => released.mockRestore());

const globals = globalThis as unknown as Record<string, unknown>;
let reloads = 0;

function createStorage(): Record<string, unknown> {
  const hidden = { enumerable: false };
  return Object.defineProperties({} as Record<string, unknown>, {
    getItem: {
      ...hidden,
      value(this: Record<string, unknown>, key: string) {
        return this[key] ?? null;
      },
    },
    setItem: {
      ...hidden,
      value(this: Record<string, unknown>, key: string, text: string) {
        this[key] = text;
      },
    },
    removeItem: {
      ...hidden,
      value(this: Record<string, unknown>, key: string) {
        delete this[key];
      },
    },
  });
}

beforeEach(() => {
  reloads = 0;
  globals.localStorage = createStorage();
  globals.sessionStorage = createStorage();
  globals.window = Object.assign(new EventTarget(), { location: { reload: () => reloads++ } });
});
afterEach(() => {
  delete globals.localStorage;
  delete globals.sessionStorage;
  delete globals.window;
});

test("a sign-out in another tab forgets what was typed in this one, and leaves its page", async () => {
  const { beginDrafts, followSignOut, readDraft, saveDraft } = await import("./drafts");
  const location = { person: "alice", path: "/roles/new", name: "new role" };
  const draft = { values: { name: "Auditors" }, base: null };
  beginDrafts();
  const stop = followSignOut();
  saveDraft(location, draft);
  expect(readDraft(location)).toEqual(draft);
  window.dispatchEvent(Object.assign(new Event("storage"), { key: "gatehouse:era" }));
  expect(readDraft(location)).toBeNull();
  expect(reloads).toBe(1);
  expect(released).toHaveBeenCalled();
  // What the page saves while it is left.
  saveDraft(location, draft);
  expect(Object.keys(sessionStorage)).toEqual([]);
  stop();
  beginDrafts();
});
