import { expect, test } from "bun:test";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { findReversal } from "./find-reversal";

const change = (before: object | null, after: object | null, id = "rl_m") =>
  ({ object: "rate_limits", id, subject_id: null, before, after, default_before: null }) as never;
const event = (id: string, ...changes: never[]) => ({ id, changes }) as unknown as AuditLog;

test("an event that sets the same fields back is the reversal, of that object alone", () => {
  const raised = event("1", change({ rpm: 3, tpm: 9 }, { rpm: 10, tpm: 9 }));
  const other = event("2", change({ rpm: 10 }, { rpm: 3 }, "rl_other"));
  const further = event("3", change({ rpm: 10, tpm: 9 }, { rpm: 20, tpm: 9 }));
  const back = event("4", change({ rpm: 10, tpm: 5 }, { rpm: 3, tpm: 5 }));
  expect(findReversal(raised, [back, other, raised])?.id).toBe("4");
  expect(findReversal(raised, [further, other, raised])).toBeUndefined();
  expect(findReversal(back, [back, raised])).toBeUndefined();
});

test("a setting that was made is set back by its deletion, and a deleted one by making it again", () => {
  const made = event("1", change(null, { amount: "5" }));
  const deleted = event("2", change({ amount: "5" }, null));
  const again = event("3", change(null, { amount: "5" }));
  expect(findReversal(made, [again, deleted, made])?.id).toBe("2");
  expect(findReversal(deleted, [again, deleted, made])?.id).toBe("3");
});
