import { expect, test } from "bun:test";
import { wholeCents } from "./whole-cents";

test("a part of a cent is refused, never cut off", () => {
  expect(wholeCents.safeParse("12.345").success).toBe(false);
  expect(wholeCents.safeParse("12.34").success).toBe(true);
});
