import { expect, test } from "bun:test";
import { newCallState } from "@/components/playground/messages/message";
import { newWorkbench } from "@/components/playground/workbench";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { formatAmount } from "@/lib/money/amount";
import { computeExpectedCost, findUsualAnswer } from "./expected-cost";

const groups = [{ id: "m", totals: { requests: 4, completion_tokens: 400 } }] as never;
const model = { id: "m", rate: "0.5", price: { input_per_1m: "1.00", output_per_1m: "2.00" } };

test("an answer is expected to be as long as those of this conversation, or of the person's calls before", () => {
  const workbench = newWorkbench("m");
  expect(findUsualAnswer(workbench, "m", groups)).toBe(100);
  expect(findUsualAnswer(workbench, "other", groups)).toBeNull();
  const answered = (completionTokens: number) => ({
    id: String(completionTokens),
    role: "assistant" as const,
    text: "",
    call: { ...newCallState("m", null), usage: { promptTokens: 1, completionTokens } },
  });
  const panes = workbench.panes.map((pane) => ({ ...pane, messages: [answered(20), answered(40)] }));
  expect(findUsualAnswer({ ...workbench, panes }, "m", groups)).toBe(30);
});

test("the expected cost is what such a call is charged, not what is held for the longest answer", () => {
  const cost = computeExpectedCost(model as OrganizationModel, 1_000, 100);
  expect(cost && formatAmount(cost)).toBe("0.0006");
  expect(computeExpectedCost({ ...model, price: null } as OrganizationModel, 1, 1)).toBeNull();
});
