import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { Scenario } from "../../scenario";
import { serveLimitGateway, type Verdict } from "../../serve-limit-gateway";

/** The width of a slot plus the second that a restart rounds to. */
const LATE_MS = 2_000;

export const clockSteps: Scenario = {
  name: "clock-steps",
  does: "{size} days of calls while the wall clock is set an hour forward or back and the gateway restarted",
  full: 400,
  smoke: 12,
  async run({ size, random }) {
    const gateway = await serveLimitGateway();
    const faults: string[] = [];
    let [admittedInAll, steps, restarts] = [0, 0, 0];
    try {
      for (let day = 0; day < size; day++) {
        gateway.pass(3 * DAY_MS);
        const most = random.between(1, 5);
        await gateway.limit({ max_requests_per_1_day: most });
        const verdicts: Verdict[] = [];
        const stepAt = random.between(0, 40);
        const restartAt = random.chance(0.7) ? random.between(0, 40) : -1;
        for (let at = 0; at <= 40; at++) {
          gateway.pass(random.pick([0, 1, HOUR_MS - 1, random.between(0, 2 * HOUR_MS)]));
          if (at === stepAt) {
            gateway.stepWallClock(random.pick([-HOUR_MS, HOUR_MS]));
            steps++;
          }
          if (at === restartAt) {
            await gateway.restart();
            restarts++;
          }
          verdicts.push(await gateway.call());
        }
        // Stored times are those of the wall clock, so after a restart calls from before a step are off by an hour.
        const tolerance = restartAt < 0 ? 0 : HOUR_MS;
        const admitted = verdicts.filter(({ isAdmitted }) => isAdmitted);
        admittedInAll += admitted.length;
        const fault = (what: string) =>
          faults.push(`day ${day}, ${most} a day, ${tolerance && "restarted"}: ${what}`);
        for (const [index, { atMs }] of admitted.entries()) {
          const earlier = admitted[index - most];
          if (earlier && atMs - earlier.atMs < DAY_MS - tolerance)
            fault(`${most + 1} were admitted within ${(atMs - earlier.atMs) / HOUR_MS} hours`);
        }
        for (const { atMs, isAdmitted } of verdicts) {
          if (isAdmitted) continue;
          const recent = admitted.filter(
            (one) => one.atMs <= atMs && one.atMs > atMs - DAY_MS - tolerance - LATE_MS,
          );
          if (recent.length < most) fault(`refused with only ${recent.length} in the day before`);
        }
      }
      return { faults, figures: { days: size, admitted: admittedInAll, steps, restarts } };
    } finally {
      await gateway.close();
    }
  },
};
