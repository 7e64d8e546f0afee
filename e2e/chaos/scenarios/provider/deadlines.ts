import { openBlackHole } from "@/e2e/support/servers/black-hole";
import { breaksHalfWay, costsNothing } from "../../fault-case";
import { runWithFaults } from "../../run-with-faults";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, PLAIN_PROVIDER } from "../../start-stage";

/** A provider for each deadline, with the other deadlines out of reach. */
const timeouts = {
  connect: { connect_seconds: 1.5 },
  "first-byte": { first_event_seconds: 1.5, whole_answer_seconds: 1.5 },
  idle: { idle_seconds: 1.5 },
  total: { total_seconds: 1.5 },
};
const [firstByte, idle, total] = [{ model: "first-byte" }, { model: "idle" }, { model: "total" }];

export const deadlines: Scenario = {
  name: "deadlines",
  does: "{size} calls, half of them to a provider that accepts no connection, sends no byte, falls silent, or drips without end",
  full: 2_000,
  smoke: 60,
  async run(order) {
    // Other systems accept connections beyond a full queue instead of ignoring them.
    const hole = process.platform === "linux" ? await openBlackHole() : null;
    try {
      return await runWithFaults(order, {
        connections: Math.min(order.size, 200),
        goodModels: [PLAIN_MODEL.id, "first-byte", "idle"],
        models: [
          PLAIN_MODEL,
          ...Object.keys(timeouts).map((id) => ({ ...PLAIN_MODEL, id, providers: [id] })),
        ],
        providers: [
          PLAIN_PROVIDER,
          ...Object.entries(timeouts).map(([id, deadline]) => ({
            id,
            timeouts: deadline,
            ...(hole && id === "connect" && { baseUrl: hole.baseUrl }),
          })),
        ],
        cases: [
          costsNothing("silent", "provider_timeout", firstByte),
          costsNothing("silent after its headers", "provider_timeout", { ...idle, streamStatus: 200 }),
          ...breaksHalfWay("silent half-way", "provider_timeout", idle),
          ...breaksHalfWay("a byte now and then", "provider_timeout", idle),
          ...breaksHalfWay("blanks without end", "provider_timeout", total),
          ...(hole ? [costsNothing("silent", "provider_timeout", { model: "connect", sent: [0, 0] })] : []),
        ],
      });
    } finally {
      hole?.stop();
    }
  },
};
