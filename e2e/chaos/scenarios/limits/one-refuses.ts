import { until } from "@/e2e/support/clients/until";
import { DAY_MS } from "@/lib/contract/durations";
import type { Scenario } from "../../scenario";
import {
  type ChatField,
  chatFields,
  type LimitGateway,
  MODEL,
  serveLimitGateway,
} from "../../serve-limit-gateway";

const IN_FLIGHT = 5;
const CALLS = 30;
const BINDING = 10;
const TOKENS_PER_CALL = 2;
const PAUSE_MS = 3 * DAY_MS;

/** All checks that can refuse a call. */
const checks = [...chatFields, "insufficient_balance", "concurrency"] as const;
type Check = (typeof checks)[number];

const createLimits = (calls: number): Record<ChatField, number> => ({
  max_requests_per_1_minute: calls,
  max_tokens_per_1_minute: calls * TOKENS_PER_CALL,
  max_requests_per_1_day: calls,
});

/**
 * Makes one check refuse all calls.
 * @returns a function that ends this.
 */
async function refuseBy(check: Check, gateway: LimitGateway): Promise<() => Promise<unknown>> {
  if (check === "insufficient_balance") {
    const price = { input_per_1m: "1000000000.00", output_per_1m: "1000000000.00" };
    await gateway.admin("POST", `/organization/models/${MODEL}`, { rate: "1000000", price });
    const usual = { rate: "0.5", price: { input_per_1m: "1.00", output_per_1m: "2.00" } };
    return () => gateway.admin("POST", `/organization/models/${MODEL}`, usual);
  }
  if (check === "concurrency") {
    const client = new AbortController();
    const hanging = Array.from({ length: IN_FLIGHT }, () =>
      gateway.send("sandbox-hang", 1, 1, client.signal).catch(() => {}),
    );
    const isHeld = async (amount: string) =>
      (await gateway.admin<{ held: string }>("GET", "/organization/balance")).held === amount;
    // Each holds 0.0000015.
    await until("the hanging calls hold their money", () => isHeld("0.0000075"));
    return async () => {
      client.abort();
      await Promise.all(hanging);
      await until("the hanging calls have ended", () => isHeld("0.00"));
    };
  }
  const { [check]: binding } = createLimits(BINDING);
  await gateway.limit({ ...createLimits(CALLS), [check]: binding });
  return () => gateway.limit(createLimits(CALLS));
}

export const oneRefuses: Scenario = {
  name: "one-refuses",
  does: "{size} calls refused by each check in turn, which take nothing of what the others count",
  full: 1_000,
  smoke: 40,
  async run({ size }) {
    const gateway = await serveLimitGateway({ maxConcurrentRequests: IN_FLIGHT });
    const faults: string[] = [];
    try {
      for (const check of checks) {
        gateway.pass(PAUSE_MS);
        await gateway.limit(createLimits(CALLS));
        for (let call = 0; call < BINDING; call++) {
          if (!(await gateway.call()).isAdmitted)
            faults.push(`${check}: call ${call} was refused before its time`);
        }
        const letThrough = await refuseBy(check, gateway);
        for (let call = 0; call < size; call++) {
          const { code } = await gateway.call();
          if (code !== check) faults.push(`${check}: a call was refused by ${code}`);
        }
        await letThrough();
        let admitted = BINDING;
        while ((await gateway.call()).isAdmitted) admitted++;
        if (admitted !== CALLS)
          faults.push(`${check}: ${admitted} of ${CALLS} calls were left by ${size} refused ones`);
      }
      const { held } = await gateway.admin<{ held: string }>("GET", "/organization/balance");
      if (held !== "0.00") faults.push(`${held} is held, and no call is in flight`);
      return { faults, figures: { checks: checks.length, "refused by each": size } };
    } finally {
      await gateway.close();
    }
  },
};
