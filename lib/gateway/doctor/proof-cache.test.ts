import { expect, test } from "bun:test";
import type { Reconciliation } from "../balance/ledger/reconciliation";
import { ProofCache } from "./proof-cache";

const proof = { entries: 7 } as Reconciliation;

function keep(isWhole: boolean): ProofCache {
  const cache = new ProofCache();
  cache.put(proof, isWhole, 1_000);
  return cache;
}

test("a whole proof that ended while its reader was away is returned to the next request, and then expires", () => {
  const cache = keep(true);
  expect(cache.read(false, 400_000)).toBe(proof);
  expect(cache.read(true, 400_000)).toBeNull();
  expect(keep(true).read(true, 400_000)).toBe(proof);
  expect(keep(true).read(true, 601_000)).toBeNull();
});

test("a proof that somebody has got is returned again for two seconds", () => {
  const cache = keep(true);
  cache.markRead();
  expect(cache.read(true, 2_999)).toBe(proof);
  expect(cache.read(true, 3_000)).toBeNull();
});

test("a proof of the latest entries is kept for two seconds, and never returned for a whole one", () => {
  expect(new ProofCache().read(false, 0)).toBeNull();
  expect(keep(false).read(true, 1_500)).toBeNull();
  expect(keep(false).read(false, 2_999)).toBe(proof);
  expect(keep(false).read(false, 3_000)).toBeNull();
});
