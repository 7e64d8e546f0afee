import { expect, test } from "bun:test";
import { newId, rateLimitId, readIdTime, readRateLimitModel } from "./ids";

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

test("an id made later sorts later, and none comes twice", () => {
  const times = [0, 1, 31, 32, 1_800_000_000_000, 2 ** 48 - 1];
  const ids = times.map((time) => newId("proj", time, random));
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^proj_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(new Set(Array.from({ length: 1000 }, () => newId("req", 1, random))).size).toBe(1000);
  expect(newId("key", 1, () => new Uint8Array(10).fill(255))).toBe("key_0000000001zzzzzzzzzzzzzzzz");
  const bytes = Uint8Array.fromHex("0123456789abcdef1032");
  expect(newId("key", 33, () => bytes)).toBe("key_000000001104hmasw9nf6yy41j");
});

test("an id tells when it was made, whatever its prefix", () => {
  for (const prefix of ["req", "svc_acct"] as const) {
    expect(readIdTime(newId(prefix, 1_800_000_000_000, random))).toBe(1_800_000_000_000);
  }
  for (const text of ["", "req_", "req_short", "req_uuuuuuuuuu"]) expect(readIdTime(text)).toBeNull();
});

test("a rate limit's id leads back to its model", () => {
  expect(readRateLimitModel(rateLimitId("rl_odd/model"))).toBe("rl_odd/model");
  expect(readRateLimitModel("gpt-5")).toBe("gpt-5");
});
