import { expect, test } from "bun:test";
import { type CallState, newCallState } from "@/components/playground/messages/message";
import { newPane, type Pane } from "@/components/playground/panes/pane";
import { computeAwards } from "./pane-head";

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
  const awards = computeAwards([quick, long, answered({ state: "refused" })], {});
  expect([...awards]).toEqual([
    [quick.id, ["Fastest"]],
    [long.id, ["Longest"]],
  ]);
  expect(computeAwards([quick], {}).size).toBe(0);
});

test("answers to different questions are not compared", () => {
  const asked = (text: string, totalMs: number): Pane => {
    const pane = answered({ totalMs });
    return { ...pane, messages: [{ id: "q", role: "user", text }, ...pane.messages] };
  };
  expect(computeAwards([asked("One?", 1), asked("One?", 2)], {}).size).toBe(1);
  expect(computeAwards([asked("One?", 1), asked("Two?", 2)], {}).size).toBe(0);
  const [first, second] = [asked("{{n}}?", 1), asked("One?", 2)];
  expect(computeAwards([first, second], { n: "One" }).size).toBe(1);
});
