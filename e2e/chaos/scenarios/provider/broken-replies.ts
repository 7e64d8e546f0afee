import { breaksHalfWay, costsNothing, isAnswered } from "../../fault-case";
import { runWithFaults } from "../../run-with-faults";
import type { Scenario } from "../../scenario";

export const brokenReplies: Scenario = {
  name: "broken-replies",
  does: "{size} calls, half of them answered with HTML, no JSON, an error, a redirect, cut off without [DONE]; or in odd pieces that are right",
  full: 4_000,
  smoke: 100,
  run: (order) =>
    runWithFaults(order, {
      cases: [
        costsNothing("no completion", "provider_error"),
        costsNothing("redirect", "provider_error"),
        ...breaksHalfWay("no end", "provider_error"),
        ...breaksHalfWay("no JSON", "provider_error"),
        ...breaksHalfWay("an error", "provider_error"),
        isAnswered(["small pieces"], 1),
        isAnswered(["carriage returns"], 1),
        isAnswered(["gzip"], 1),
        isAnswered(["br"], 1),
        isAnswered(["zstd"], 1),
      ],
    }),
};
