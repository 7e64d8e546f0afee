import { afterAll, expect, spyOn, test } from "bun:test";
import { CsvLink } from "./csv-link";

const asked = spyOn(globalThis, "fetch").mockImplementation((async () =>
  Response.json({ problem: { code: "failed", message: "No.", fields: {} } }, { status: 503 })) as never);
afterAll(() => asked.mockRestore());

test("a download is asked for first, so that a refusal doesn't replace the page or fail unseen", () => {
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
