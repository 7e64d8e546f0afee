import { afterAll, expect, spyOn, test } from "bun:test";
import { CsvLink } from "./csv-link";

// Without an answer, nothing is said that tests of other files would find.
const asked = spyOn(globalThis, "fetch").mockImplementation((() => new Promise(() => {})) as never);
afterAll(() => asked.mockRestore());

test("a download is asked for before the browser makes it, so that a refusal can be told", () => {
  let isPrevented = false;
  const { props } = CsvLink({ href: "/api/roles?export=csv" });
  props.onClick({
    preventDefault: () => {
      isPrevented = true;
    },
  });
  expect(isPrevented).toBe(true);
  expect(asked.mock.calls[0]?.[0]).toBe("/api/roles?export=csv");
});
