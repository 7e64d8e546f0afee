import { afterEach, expect, mock, spyOn, test } from "bun:test";
import * as pagePerson from "@/components/session/page-person";
import { createProblem } from "@/lib/console/gateway/problem";
import { callAction } from "./call-action";

afterEach(() => mock.restore());

test("the action's own reply is passed on, a refusal too", async () => {
  expect(await callAction(async () => ({ ok: true, data: 1 }), "none")).toEqual({ ok: true, data: 1 });
  const refusal = { ok: false as const, ...createProblem("refused", "Not you.") };
  expect(await callAction(async () => refusal, "none")).toEqual(refusal);
});

test("without a reply it says what to do, by what the call may have done", async () => {
  const lose = () => Promise.reject(new TypeError("Failed to fetch"));
  expect(await callAction(lose, "none")).toMatchObject({
    ok: false,
    code: "unreachable",
    message: "The console isn’t responding. Check your connection, then try again.",
  });
  expect(await callAction(lose, "change")).toMatchObject({
    message: expect.stringContaining("may have been saved"),
  });
});

test("a page of somebody who is no longer signed in calls nothing and is loaded anew", async () => {
  spyOn(pagePerson, "isPersonReplaced").mockReturnValue(true);
  const reload = spyOn(pagePerson, "reloadIfReplaced").mockReturnValue(true);
  const call = mock(async () => ({ ok: true as const, data: 1 }));
  expect(await callAction(call, "change")).toMatchObject({ ok: false, code: "unauthenticated" });
  expect(call).not.toHaveBeenCalled();
  expect(reload).toHaveBeenCalled();
});
