import type { Scenario } from "../../scenario";
import { chatFields, serveLimitGateway } from "../../serve-limit-gateway";

const MAX_CALLS = 40;

export const retryAfter: Scenario = {
  name: "retry-after",
  does: "{size} times up to a limit, then exactly as long as was said, and not a millisecond less",
  full: 1_000,
  smoke: 30,
  async run({ size, random }) {
    const gateway = await serveLimitGateway();
    const faults: string[] = [];
    let longest = 0;
    try {
      for (let round = 0; round < size; round++) {
        const field = random.pick(chatFields);
        const words = random.between(1, 3);
        await gateway.limit({ [field]: random.between(2 * words, 20) });
        let verdict = await gateway.call(words);
        for (let calls = 1; verdict.isAdmitted && calls < MAX_CALLS; calls++) {
          gateway.pass(random.between(0, 700));
          verdict = await gateway.call(words);
        }
        const fault = (what: string) => faults.push(`round ${round}, ${field}: ${what}`);
        const wait = verdict.limit?.resets_in_ms ?? null;
        if (verdict.code !== field || wait === null) {
          fault(`refused by ${verdict.code}, to wait for ${wait} ms`);
          continue;
        }
        longest = Math.max(longest, wait);
        if (verdict.retryAfterMs !== Math.ceil(wait / 1000) * 1000) {
          fault(`resets in ${wait} ms, and retry-after says ${verdict.retryAfterMs}`);
        }
        if (random.chance(0.5)) {
          gateway.pass(wait - 1);
          if ((await gateway.call(words)).isAdmitted)
            fault(`admitted a millisecond before the ${wait} are over`);
          gateway.pass(1);
          if (!(await gateway.call(words)).isAdmitted) fault(`refused after the ${wait} ms it said`);
        } else {
          gateway.pass(verdict.retryAfterMs);
          if (!(await gateway.call(words)).isAdmitted)
            fault(`refused after a retry-after of ${verdict.retryAfterMs}`);
        }
      }
      return { faults, figures: { rounds: size, "longest wait ms": longest } };
    } finally {
      await gateway.close();
    }
  },
};
