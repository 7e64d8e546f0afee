import { breaksHalfWay, costsNothing, isAnswered } from "../../fault-case";
import { runWithFaults } from "../../run-with-faults";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, PLAIN_PROVIDER } from "../../start-stage";

const alone = { model: "broken" };
const routed = { model: "routed" };
/** An early reset may discard the headers, too. Then the gateway repeats the call, which breaks off again. */
const once = { sent: [1, 2] } as const;

export const brokenConnections: Scenario = {
  name: "broken-connections",
  does: "{size} calls, half of them on connections that are reset before the first byte or within a chunk, or speak no HTTP",
  full: 4_000,
  smoke: 80,
  run: (order) =>
    runWithFaults(order, {
      goodModels: [PLAIN_MODEL.id, alone.model, routed.model],
      models: [
        PLAIN_MODEL,
        { ...PLAIN_MODEL, id: alone.model, providers: ["broken"] },
        { ...PLAIN_MODEL, id: routed.model, providers: ["broken", PLAIN_PROVIDER.id] },
      ],
      providers: [PLAIN_PROVIDER, { id: "broken", isBroken: true }],
      cases: [
        isAnswered(["reset"], 2, alone),
        isAnswered(["reset"], 2, routed),
        costsNothing("reset", "provider_error", { ...alone, faults: ["reset", "reset"], sent: [2, 2] }),
        ...["reset half-way" as const, "no chunk" as const].flatMap((fault) =>
          breaksHalfWay(fault, "provider_error", { ...alone, ...once, faults: [fault, fault] }),
        ),
        costsNothing("no HTTP", "provider_error", { ...alone, ...once, faults: ["no HTTP", "no HTTP"] }),
      ],
    }),
};
