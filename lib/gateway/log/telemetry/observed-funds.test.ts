import { expect, mock, test } from "bun:test";
import type { Funds, HoldDraft, TaskDraft } from "../../ledger/funds";
import { ObservedFunds } from "./observed-funds";

test("a hold is placed with its task, also with an observer", async () => {
  const placeHold = mock(async () => "placed");
  const funds = new ObservedFunds({ placeHold } as unknown as Funds, [], () => 0);
  const [hold, task] = [{ id: "hold_1" } as HoldDraft, { id: "task_1" } as TaskDraft];
  expect(await funds.placeHold(hold, task)).toBe("placed");
  expect(placeHold).toHaveBeenCalledWith(hold, task);
});
