import { expect, test } from "bun:test";
import fc from "fast-check";
import { builtInRateLimits, MAX_WINDOW_MS } from "@/lib/contract/calls/rate-limit-table";
import { HOUR_MS, SECOND_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import { ZERO } from "@/lib/money/amount";
import { admitAndHold } from "../calls/holds/admit-and-hold";
import { type HeldCall, HeldCalls } from "../calls/holds/held-call";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { LedgerBatch, OwnerLease } from "../ledger/writer/ledger-batch.sql";
import { EmbeddedAdmissions } from "../rate-limits/embedded-admissions";
import { readPastCalls } from "../rate-limits/read-past-calls.sql";
import { SimulatedFunds } from "./simulated-funds";
import { makeStoreTemplate, SimulatedStore } from "./simulated-process";
import { simulatedRuntime } from "./simulated-runtime";

const template = await makeStoreTemplate();
const free = { inputPer1m: ZERO, outputPer1m: ZERO, rate: ZERO };
const tokens = fc.oneof(fc.nat(100), fc.nat(1_000), fc.constant(1_000_000_000));
const call = fc.record({
  model: fc.constantFrom("small", "large"),
  waitMs: fc.oneof(fc.nat(5 * SECOND_MS), fc.nat(90 * SECOND_MS), fc.nat(9 * HOUR_MS)),
  lastsMs: fc.nat(90 * SECOND_MS),
  promptTokens: fc.nat(200),
  maxPromptTokens: fc.option(fc.integer({ min: 200, max: 2_000 }), { nil: undefined }),
  maxOutputTokens: fc.integer({ min: 1, max: 100 }),
  choices: fc.integer({ min: 1, max: 3 }),
  images: fc.nat(2),
  end: fc.oneof(
    fc.record({ basis: fc.constant("reported" as const), promptTokens: tokens, completionTokens: tokens }),
    fc.record({ basis: fc.constant("estimated" as const), promptTokens: tokens, completionTokens: tokens }),
    fc.constantFrom("unsent" as const, "provider_failed" as const),
  ),
});
type Call = typeof call extends fc.Arbitrary<infer Drawn> ? Drawn : never;
const history = fc.array(call, { minLength: 1, maxLength: 30 });
const waits = fc.array(fc.nat(9 * HOUR_MS), { maxLength: 3 });

/** A process and its store. */
function openProcess(store: SimulatedStore) {
  const runtime = simulatedRuntime();
  const { clock } = runtime;
  const openAdmissions = () => {
    const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
    return new EmbeddedAdmissions({ available: ZERO }, spend, { clock, currency: "USD" });
  };
  const batch = new LedgerBatch(store.sqlite, new OwnerLease(store.sqlite, "this process", clock));
  const funds = new SimulatedFunds(batch, clock.nowMs);
  const admissions = openAdmissions();
  const context = { admissions, funds, runtime, heldCalls: new HeldCalls() };
  const stored = async <Result>(written: Promise<Result>) => {
    funds.keepLease();
    funds.commit();
    funds.answer();
    return await written;
  };
  const holds = new Map<Call, HeldCall>();
  return {
    runtime,
    admissions,
    async begin(one: Call) {
      const { promptTokens, maxPromptTokens, maxOutputTokens, choices, images, model } = one;
      const size = {
        promptTokens,
        ...(maxPromptTokens && { maxPromptTokens }),
        maxOutputTokens,
        choices,
        images,
      };
      const request = { projectId: "proj_1", keyId: "key_1", model, limits: builtInRateLimits, price: free };
      const requestId = newId("req", clock.nowMs(), runtime.random);
      const recheck = <Asked>(asked: Asked) => asked;
      const facts = { requestId, stream: false, startedAtMs: clock.monotonicMs(), recheck };
      const expectedOutputTokens = Math.ceil(maxOutputTokens / 2);
      const described = { ...request, ...size, contextTokens: 1_000, expectedOutputTokens };
      holds.set(one, await stored(admitAndHold(context, described, facts)));
    },
    async end(one: Call) {
      const hold = holds.get(one);
      if (typeof one.end === "string")
        await stored(Promise.resolve(hold?.release({ outcome: one.end, status: 502 })));
      else
        await stored(
          Promise.resolve(hold?.settle(one.end, one.end.basis, { outcome: "completed", status: 200 })),
        );
    },
    /** What a process counts that starts now. */
    async restart() {
      const restarted = openAdmissions();
      restarted.windows.restore(await readPastCalls(store.database, clock.nowMs(), MAX_WINDOW_MS));
      return restarted;
    },
  };
}

const readUsed = ({ windows }: EmbeddedAdmissions) =>
  windows.readUsage(["small", "large"].map((model) => ({ projectId: "proj_1", model })));

test("a restart changes nothing that the limits count, whatever was called and reported before", async () => {
  await fc.assert(
    fc.asyncProperty(history, waits, async (calls, laterWaits) => {
      using store = new SimulatedStore(template);
      const process = openProcess(store);
      const startMs = process.runtime.clock.nowMs();
      let atMs = startMs;
      const steps = calls.flatMap((one) => {
        atMs += one.waitMs;
        return [
          { atMs, take: () => process.begin(one) },
          { atMs: atMs + one.lastsMs, take: () => process.end(one) },
        ];
      });
      for (const step of steps.toSorted((first, second) => first.atMs - second.atMs)) {
        process.runtime.pass(step.atMs - process.runtime.clock.nowMs());
        await step.take();
      }
      const restarted = await process.restart();
      for (const waitMs of [0, ...laterWaits]) {
        process.runtime.pass(waitMs);
        expect(readUsed(restarted)).toEqual(readUsed(process.admissions));
      }
    }),
  );
});
