import { expect, test } from "bun:test";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { parseCheckedAmount } from "@/lib/money/amount";
import type { RoutedCall } from "./routed-calls.sql";
import { simulateRoutes } from "./simulate-routes";

const at = (
  provider: string,
  failed: { status: number | null } | null,
  started = 0,
  ended = started + 100,
) => ({
  provider,
  model: "m",
  started_ms: started,
  reached_ms: null,
  sent_ms: failed?.status === null ? null : started,
  answered_ms: null,
  ended_ms: failed ? ended : null,
  status: failed ? failed.status : 200,
  failure: failed ? "provider_error" : null,
  provider_request_id: null,
  left_out: [],
});

function call(number: number, attempts: RoutedCall["attempts"], isAnswered = true): RoutedCall {
  const firstByteMs = isAnswered ? (attempts.at(-1)?.started_ms ?? 0) + 50 : null;
  const durationMs = (firstByteMs ?? 100) + 10;
  return {
    id: `req_${number}`,
    atMs: number * 1_000,
    isAnswered,
    firstByteMs,
    durationMs,
    usage: isAnswered ? { promptTokens: 1_000, completionTokens: 100 } : null,
    attempts,
  };
}

const route = (provider: string, group: number, more: Partial<ModelRoute> = {}): ModelRoute => ({
  provider,
  model: "m",
  group,
  ...more,
});
const million = (amount: string) => parseCheckedAmount(amount);
const price = { inputPer1m: million("2"), outputPer1m: million("10"), rate: million("1") };

function simulate(simulated: readonly RoutedCall[], routes: readonly ModelRoute[]) {
  return simulateRoutes({ sinceMs: 0, calls: simulated }, { routes, present: [], price });
}

/** Half of a hundred calls failed at `a`, and were answered by `b`. */
const calls = Array.from({ length: 100 }, (_, number) =>
  number % 2 === 0
    ? call(number, [at("a", null)])
    : call(number, [at("a", { status: 503 }), at("b", null, 100)]),
);

test("the same routes give the same outcome", () => {
  const { was, draft, unmeasured } = simulate(calls, [route("a", 1), route("b", 2)]);
  expect(was).toMatchObject({ answered: 100, byFallback: 50 });
  expect([draft, unmeasured]).toEqual([was, 0]);
});

test("without its fallback a route's failures are failures of calls, and turned around none is", () => {
  const alone = simulate(calls, [route("a", 1)]);
  expect(alone.draft).toMatchObject({ answered: 50, byFallback: 0 });
  const turned = simulate(calls, [route("b", 1), route("a", 2)]);
  expect(turned.draft).toMatchObject({ answered: 100, byFallback: 0 });
  expect(turned.draft.firstByteP95Ms ?? 0).toBeLessThan(turned.was.firstByteP95Ms ?? 0);
});

test("a route of which nothing is known is told apart", () => {
  const { draft, unmeasured } = simulate(calls, [route("new", 1)]);
  expect([draft.answered, draft.firstByteP95Ms, unmeasured]).toEqual([100, null, 100]);
});

test("a request that is refused by its fault is refused on any route", () => {
  const refused = [call(1, [at("a", { status: 400 })], false)];
  const { draft } = simulate(refused, [route("a", 1), route("b", 2)]);
  expect(draft.answered).toBe(0);
});

test("what providers charge is told for the calls that are answered either way, at the prices of their routes", () => {
  const cheap = { price: { input_per_1m: "0.5", output_per_1m: "1" } };
  const { was, draft } = simulate(calls, [
    route("a", 1, { order: "price" }),
    route("b", 1, { order: "price", ...cheap }),
  ]);
  // A thousand tokens at 2 and a hundred at 10, and of b at 0.5 and 1.
  expect([was.cost, draft.cost]).toEqual([million("0.3"), million("0.06")]);
  const alone = simulate(calls, [route("a", 1)]);
  expect([alone.was.cost, alone.draft.cost]).toEqual([million("0.15"), million("0.15")]);
});
