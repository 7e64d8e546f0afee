import { expect, mock, spyOn, test } from "bun:test";
import * as leaving from "../../session/leave-for-sign-in";
import * as pagePerson from "../../session/page-person";
import { registerUnsaved } from "../../ui/dialog/unsaved";
import { describeHits, searchObjects } from "./use-found-objects";

const project = { kind: "Project", id: "proj_1", label: "Evals", href: "/projects/proj_1" };
const hits = { count: 0, isSearching: false, search: "ev", fault: null };

test("a search that fails says why, and not that nothing has the name", async () => {
  const refused = await searchObjects(async () => ({ ok: false, message: "No gateway answers." }), "ev");
  expect(refused).toEqual({ text: "ev", objects: [], fault: "No gateway answers." });
  const lost = await searchObjects(() => Promise.reject(new TypeError("Failed to fetch")), "ev");
  for (const { fault } of [refused, lost]) {
    expect(fault).not.toBeNull();
    expect(describeHits({ ...hits, fault })).toBe(`The search failed: ${fault}`);
    expect(describeHits({ ...hits, count: 2, fault })).toBe(`2 results. The search failed: ${fault}`);
  }
});

test("what was found is counted, and nothing is said to be missing before the answer", async () => {
  const found = await searchObjects(async () => ({ ok: true, data: [project] }), "ev");
  expect(found).toEqual({ text: "ev", objects: [project], fault: null });
  expect(describeHits({ ...hits, count: 1 })).toBe("1 result");
  expect(describeHits({ ...hits, isSearching: true })).toBe("Searching…");
  expect(describeHits(hits)).toBe("Nothing is named “ev”.");
});

test("a page of somebody who is no longer signed in searches nothing", async () => {
  const reload = spyOn(pagePerson, "reloadIfReplaced").mockReturnValue(true);
  const find = mock(async () => ({ ok: true as const, data: [project] }));
  expect(await searchObjects(find, "ev")).toEqual({ text: "ev", objects: [], fault: null });
  expect(find).not.toHaveBeenCalled();
  reload.mockRestore();
});

test("a search that finds the session ended leads to the sign-in, unless the page alone has what it would lose", async () => {
  const leave = spyOn(leaving, "leaveForSignIn").mockReturnValue();
  const ended = { ok: false as const, code: "unauthenticated", message: "Your session has ended." };
  await searchObjects(async () => ({ ...ended, code: "unreachable" }), "ev");
  expect(leave).not.toHaveBeenCalled();
  await searchObjects(async () => ended, "ev");
  expect(leave).toHaveBeenCalledTimes(1);
  const unregister = registerUnsaved({
    dialog: null,
    describe: () => ({ title: "", text: "" }),
    discard: () => {},
  });
  expect((await searchObjects(async () => ended, "ev")).fault).toBe("Your session has ended.");
  expect(leave).toHaveBeenCalledTimes(1);
  unregister();
  leave.mockRestore();
});
