import { costsNothing, isAnswered } from "../../fault-case";
import { runWithFaults } from "../../run-with-faults";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, PLAIN_PROVIDER } from "../../start-stage";

const routed = { model: "routed" };
const misconfigured = [401, 403, 404] as const;
const passing = [...misconfigured, 429, 500, 502, 503, 529] as const;

export const providerRefuses: Scenario = {
  name: "provider-refuses",
  does: "{size} calls, half of them in a storm of 429, 529 and 5xx at a provider alone, or with another to go to",
  full: 6_000,
  smoke: 120,
  run: (order) =>
    runWithFaults(order, {
      goodModels: [PLAIN_MODEL.id, routed.model],
      models: [PLAIN_MODEL, { ...PLAIN_MODEL, id: routed.model, providers: [PLAIN_PROVIDER.id, "second"] }],
      providers: [PLAIN_PROVIDER, { id: "second" }],
      cases: [
        costsNothing(429, "provider_error", { status: 429 }),
        costsNothing(503, "provider_error"),
        costsNothing(529, "provider_error"),
        costsNothing(504, "provider_timeout"),
        costsNothing(400, "provider_error", { ...routed, status: 400 }),
        isAnswered([502], 2),
        costsNothing(502, "provider_error", { faults: [502, 502], sent: [2, 2] }),
        // Whoever asks for a rest is not asked again at once; another provider is.
        costsNothing("a rest after 502", "provider_error"),
        isAnswered(["a rest after 502"], 2, routed),
        ...misconfigured.map((status) => costsNothing(status, "provider_misconfigured", { status: 502 })),
        ...passing.map((status) => isAnswered([status], 2, routed)),
        costsNothing(503, "provider_error", { ...routed, faults: [503, 503], sent: [2, 2] }),
      ],
    }),
};
