import { expect, test } from "bun:test";
import { type CallState, newCallState } from "@/components/playground/messages/message";
import { newPane, type Pane } from "@/components/playground/panes/pane";
import { computeAwards } from "./awards";

const answered = (call: Partial<CallState>): Pane => ({
  ...newPane("m"),
  messages: [
    {
      id: "a",
      role: "assistant",
      text: "yes",
      call: { ...newCallState("m", {}), state: "finished", ...call },
    },
  ],
});

test("the best answer of each kind is marked; ties and single answers are not", () => {
  const usage = (completionTokens: number) => ({ promptTokens: 1, completionTokens });
  const charge = (amount: string) => ({ amount, currency: "USD" });
  const quick = answered({ totalMs: 10, usage: usage(5), charge: charge("0.02") });
  const long = answered({ totalMs: 20, usage: usage(9), charge: charge("0.02") });
  const awards = computeAwards([quick, long, answered({ state: "refused" })]);
  expect([...awards]).toEqual([
    [quick.id, ["Fastest"]],
    [long.id, ["Longest"]],
  ]);
  expect(computeAwards([quick]).size).toBe(0);
});
