import { afterAll, expect, spyOn, test } from "bun:test";
import { followEvents } from "./start-stream";

const reported = spyOn(globalThis, "reportError").mockImplementation(() => {});
afterAll(() => reported.mockRestore());

test("an event that the screen fails to handle isn't taken for a lost connection, and the next ones arrive", async () => {
  const fault = new Error("A fault of the screen.");
  const heard: string[] = [];
  const open = async () =>
    new ReadableStream<{ type: string }>({
      start(controller) {
        for (const type of ["one", "two"]) controller.enqueue({ type });
        controller.close();
      },
    });
  await followEvents(open, ({ type }) => {
    heard.push(type);
    if (type === "one") throw fault;
  });
  expect(heard).toEqual(["one", "two"]);
  expect(reported.mock.calls).toEqual([[fault]]);
});
