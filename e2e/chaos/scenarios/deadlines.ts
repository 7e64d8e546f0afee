import { openBlackHole } from "../../support/black-hole";
import { breaksHalfWay, costsNothing } from "../fault-case";
import type { Scenario } from "../scenario";
import { PLAIN_MODEL, PLAIN_PROVIDER } from "../start-stage";
import { sufferFaults } from "../suffer-faults";

const slow = { model: "slow" };
const timeouts = { first_byte_seconds: 1.5, idle_seconds: 1.5, total_seconds: 2 };

export const deadlines: Scenario = {
  name: "deadlines",
  does: "{size} calls, half of them to a provider that accepts no connection, sends no byte, falls silent, or drips without end",
  full: 2_000,
  smoke: 60,
  async run(order) {
    // Elsewhere a full queue of connections is answered, not ignored.
    const hole = process.platform === "linux" ? await openBlackHole() : null;
    try {
      return await sufferFaults(order, {
        connections: Math.min(order.size, 200),
        goodModels: [PLAIN_MODEL.id, slow.model],
        models: [
          PLAIN_MODEL,
          { ...PLAIN_MODEL, id: slow.model, providers: ["slow"] },
          { ...PLAIN_MODEL, id: "hole", providers: ["hole"] },
        ],
        providers: [
          PLAIN_PROVIDER,
          { id: "slow", timeouts },
          { id: "hole", timeouts: { connect_seconds: 1 }, ...(hole && { baseUrl: hole.baseUrl }) },
        ],
        cases: [
          costsNothing("silent", "provider_timeout", slow),
          costsNothing("silent after its headers", "provider_timeout", { ...slow, streamStatus: 200 }),
          ...breaksHalfWay("silent half-way", "provider_timeout", slow),
          ...breaksHalfWay("a byte now and then", "provider_timeout", slow),
          ...breaksHalfWay("blanks without end", "provider_timeout", slow),
          ...(hole ? [costsNothing("silent", "provider_timeout", { model: "hole", sent: [0, 0] })] : []),
        ],
      });
    } finally {
      hole?.stop();
    }
  },
};
