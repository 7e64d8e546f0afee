import { expect, test } from "bun:test";
import { newCallState } from "@/components/playground/messages/message";
import { newWorkbench } from "@/components/playground/workbench";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { formatAmount } from "@/lib/money/amount";
import { computeExpectedCost, findCachedShare, findUsualAnswer } from "./call-estimate";

const groups = [{ id: "m", totals: { requests: 4, completion_tokens: 400 } }] as never;
const cachedGroups = [{ id: "m", totals: { prompt_tokens: 1_000, cached_tokens: 800 } }] as never;
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
  const call = { promptTokens: 1_000, completionTokens: 100, maxTokens: null, cachedShare: 0 };
  const cost = computeExpectedCost(model as OrganizationModel, call);
  expect(cost && formatAmount(cost)).toBe("0.0006");
  expect(computeExpectedCost({ ...model, price: null } as OrganizationModel, call)).toBeNull();
});

test("the expected cost stays within the longest answer that is allowed, and prices what usually comes from a cache", () => {
  const call = { promptTokens: 1_000_000, completionTokens: 500_000, maxTokens: 10, cachedShare: 0 };
  const cheap = computeExpectedCost(model as OrganizationModel, call);
  expect(cheap && formatAmount(cheap)).toBe("0.50001");
  const cached = { ...model, price: { ...model.price, cached_input_per_1m: "0.10" } } as OrganizationModel;
  const cost = computeExpectedCost(cached, { ...call, cachedShare: findCachedShare("m", cachedGroups) });
  expect(cost && formatAmount(cost)).toBe("0.14001");
});
