import { afterEach, expect, spyOn, test } from "bun:test";
import { UnrecognizedActionError } from "next/dist/client/components/unrecognized-action-error";
import { describeLostReply } from "./describe-lost-reply";

const reported = spyOn(globalThis, "reportError").mockImplementation(() => {});
afterEach(() => void reported.mockClear());

test("a lost reply doesn't claim that nothing was saved, and says what is safe to do next", () => {
  const lost = new TypeError("Failed to fetch");
  for (const isRepeatable of [true, false]) {
    const { code, message } = describeLostReply(lost, isRepeatable);
    expect(code).toBe("unreachable");
    expect(message).toContain("may have been saved");
    expect(message).not.toMatch(/nothing/i);
  }
  expect(describeLostReply(lost, true).message).toContain("send this again: it is saved only once");
  expect(describeLostReply(lost, false).message).toContain("reload the page to see it before you try again");
  expect(reported).not.toHaveBeenCalled();
});

test("a page of an earlier deployment says that it has to be reloaded, not that the connection failed", () => {
  const { message } = describeLostReply(new UnrecognizedActionError("not found"), false);
  expect(message).toContain("Nothing was saved. Reload the page");
  expect(message).not.toContain("connection");
  expect(reported).not.toHaveBeenCalled();
});

test("what isn't about the connection is reported", () => {
  const error = new Error("An unexpected response was received from the server.");
  expect(describeLostReply(error, false).message).toContain("may have been saved");
  expect(reported).toHaveBeenCalledWith(error);
});
