import { expect, test } from "bun:test";
import type { Reconciliation } from "../ledger/reconciliation";
import { ProofCache } from "./open-reconciler";

const proof = { entries: 7 } as Reconciliation;

function keep({ isWhole }: { isWhole: boolean }): ProofCache {
  const cache = new ProofCache();
  cache.put(proof, { isWhole, endedMs: 1_000 });
  return cache;
}

test("a whole proof that ended while its reader was away is returned to the next request, and then expires", () => {
  const cache = keep({ isWhole: true });
  expect(cache.read({ isWhole: false, nowMs: 400_000 })).toBe(proof);
  expect(cache.read({ isWhole: true, nowMs: 400_000 })).toBeNull();
  expect(keep({ isWhole: true }).read({ isWhole: true, nowMs: 400_000 })).toBe(proof);
  expect(keep({ isWhole: true }).read({ isWhole: true, nowMs: 601_000 })).toBeNull();
});

test("a proof that somebody has got is returned again for two seconds", () => {
  const cache = keep({ isWhole: true });
  cache.markRead();
  expect(cache.read({ isWhole: true, nowMs: 2_999 })).toBe(proof);
  expect(cache.read({ isWhole: true, nowMs: 3_000 })).toBeNull();
});

test("a proof of the latest entries is kept for two seconds, and never returned for a whole one", () => {
  expect(new ProofCache().read({ isWhole: false, nowMs: 0 })).toBeNull();
  expect(keep({ isWhole: false }).read({ isWhole: true, nowMs: 1_500 })).toBeNull();
  expect(keep({ isWhole: false }).read({ isWhole: false, nowMs: 2_999 })).toBe(proof);
  expect(keep({ isWhole: false }).read({ isWhole: false, nowMs: 3_000 })).toBeNull();
});
