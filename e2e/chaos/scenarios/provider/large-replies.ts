import { breaksHalfWay, costsNothing } from "../../fault-case";
import { runWithFaults } from "../../run-with-faults";
import type { Scenario } from "../../scenario";

const CONNECTIONS = 2;

export const largeReplies: Scenario = {
  name: "large-replies",
  does: "{size} calls, half of them answered with 100 MB in a line or a compression bomb",
  full: 200,
  smoke: 10,
  run: (order) =>
    runWithFaults(order, {
      connections: CONNECTIONS,
      cases: [
        costsNothing("a bomb", "provider_error", { isStream: false }),
        costsNothing("a bomb", "provider_error", { isStream: true, streamStatus: 200 }),
        ...breaksHalfWay("an endless line", "provider_error"),
      ],
    }),
};
