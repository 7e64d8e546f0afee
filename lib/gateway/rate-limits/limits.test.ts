import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { builtInRateLimits, type RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { ZERO } from "@/lib/money/amount";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { Refusal } from "../refusal";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import type { AdmissionRequest } from "./admissions";
import { EmbeddedAdmissions } from "./embedded-admissions";

const fields = {
  max_requests_per_1_minute: { unit: "requests", lengthMs: MINUTE_MS, slotMs: 500 },
  max_tokens_per_1_minute: { unit: "tokens", lengthMs: MINUTE_MS, slotMs: 500 },
  max_requests_per_1_day: { unit: "requests", lengthMs: DAY_MS, slotMs: 1_000 },
} as const;
type Field = keyof typeof fields;
const names = Object.keys(fields) as Field[];

const free = { inputPer1m: ZERO, outputPer1m: ZERO, rate: ZERO };

const someLimits = fc
  .record({
    max_requests_per_1_minute: fc.nat(6),
    max_tokens_per_1_minute: fc.nat(300),
    max_requests_per_1_day: fc.option(fc.nat(12)),
  })
  .map((some): RateLimitValues => ({ ...builtInRateLimits, ...some }));
const call = fc.record({
  waitMs: fc.oneof(fc.nat(20_000), fc.nat(3_600_000)),
  promptTokens: fc.integer({ min: 1, max: 60 }),
  outputTokens: fc.integer({ min: 1, max: 60 }),
  usedTokens: fc.nat(200),
  end: fc.constantFrom("settle", "release", "unsent", "open"),
  /** A change of the limits before the call. */
  change: fc.option(someLimits),
});
type Call = typeof call extends fc.Arbitrary<infer Drawn> ? Drawn : never;
const calls = fc.array(call, { maxLength: 50, size: "max" });

/** One project and model, beside a log that forgets nothing. */
class Scene {
  readonly taken: { atMs: number; requests: number; tokens: number }[] = [];
  /**
   * Whether more was used than the limit allowed. That debt is paid off (`token-debt.test.ts`) for longer than the log
   * looks back.
   */
  hasDebt = false;
  readonly #runtime = simulatedRuntime();
  readonly #admissions = new EmbeddedAdmissions(
    { available: ZERO },
    new SpendTracker({ limits: [], spent: [], nowMs: 0 }),
    { clock: this.#runtime.clock, currency: "USD" },
  );

  constructor(public limits: RateLimitValues) {}

  pass(ms: number): void {
    this.#runtime.pass(ms);
  }

  /** What the log counts in a limit's last window, or in a window one slot longer. */
  used(field: Field, longerByMs = 0): number {
    const { unit, lengthMs } = fields[field];
    const since = this.#runtime.clock.nowMs() - lengthMs - longerByMs;
    return this.taken.filter(({ atMs }) => atMs > since).reduce((sum, taking) => sum + taking[unit], 0);
  }

  /** @returns the refusal; null where the call was admitted. */
  offer({ promptTokens, outputTokens, usedTokens, end }: Call): Refusal | null {
    const request: AdmissionRequest = {
      projectId: "proj_1",
      keyId: "key_1",
      model: "sandbox-echo",
      limits: this.limits,
      price: free,
      promptTokens,
      contextTokens: 1_000,
      maxOutputTokens: outputTokens,
      expectedOutputTokens: outputTokens,
      choices: 1,
    };
    try {
      const admission = this.#admissions.admit(request);
      const [atMs, expected] = [this.#runtime.clock.nowMs(), promptTokens + outputTokens];
      if (end === "settle") this.#admissions.settle(admission, usedTokens, ZERO);
      else if (end !== "open") this.#admissions.release(admission, { sent: end === "release" });
      const tokens = { settle: usedTokens, release: 0, unsent: 0, open: expected }[end];
      this.taken.push({ atMs, requests: end === "unsent" ? 0 : 1, tokens });
      const isBeyond =
        tokens > expected && this.used("max_tokens_per_1_minute", 500) > this.limits.max_tokens_per_1_minute;
      this.hasDebt ||= isBeyond;
      return null;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }
}

function play(
  first: RateLimitValues,
  drawn: readonly Call[],
  watch: (scene: Scene, call: Call) => void,
): Scene {
  const scene = new Scene(first);
  for (const one of drawn) {
    scene.pass(one.waitMs);
    if (one.change) scene.limits = one.change;
    watch(scene, one);
  }
  return scene;
}

test("each call is held to the limits of that moment, lower ones too, and to what calls before it really used", () => {
  fc.assert(
    fc.property(someLimits, calls, (first, drawn) => {
      play(first, drawn, (scene, one) => {
        const demand = { requests: 1, tokens: one.promptTokens + one.outputTokens };
        const room = names.map((field) => {
          const max = scene.limits[field] ?? Number.POSITIVE_INFINITY;
          const needed = demand[fields[field].unit];
          const fits = scene.used(field) + needed <= max;
          return { field, fits, fitsForSure: scene.used(field, fields[field].slotMs) + needed <= max };
        });
        const refusal = scene.offer(one);
        if (!refusal) expect(room.filter(({ fits }) => !fits)).toEqual([]);
        else if (!scene.hasDebt || refusal.code !== "max_tokens_per_1_minute")
          expect(room.find(({ field }) => field === refusal.code)?.fitsForSure).toBe(false);
      });
    }),
    { numRuns: 400 },
  );
});

test("a refusal names the limit that blocks longest: a call is admitted after exactly that time", () => {
  let told = 0;
  fc.assert(
    fc.property(someLimits, calls, call, (first, drawn, last) => {
      const scene = play(first, drawn, (playing, one) => playing.offer(one));
      const refusal = scene.offer(last);
      const limit = refusal?.details.limit;
      if (!refusal || !limit) return;
      expect(limit.max).toBe(scene.limits[limit.field as Field] ?? Number.NaN);
      if (limit.resets_in_ms === null) {
        expect(limit.requested).toBeGreaterThan(limit.max);
        return;
      }
      told++;
      scene.pass(limit.resets_in_ms - 1);
      expect(scene.offer(last)?.code).toBe(refusal.code);
      scene.pass(1);
      expect(scene.offer(last)).toBeNull();
    }),
    { numRuns: 600 },
  );
  expect(told).toBeGreaterThan(50);
});
