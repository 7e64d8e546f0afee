import { until } from "../../support/clients/until";
import type { Received } from "../clients/call-gateway";
import { keepCalling } from "../clients/keep-calling";
import type { ScenarioOrder } from "../scenario";
import { PLAIN_MODEL } from "../start-stage";
import type { ManyStage } from "./start-many-gateways";

const PAUSE_MS = 20;

/** Calls all gateways until `end`: plain and streamed, through chat and messages. */
export function loadMany({ places }: ManyStage, { random }: Pick<ScenarioOrder, "random">) {
  let isOver = false;
  const received: Received[] = [];
  const loads = places.map((place, index) =>
    keepCalling(place, {
      prefix: `g${index}-`,
      next: () =>
        !isOver && {
          model: PLAIN_MODEL.id,
          isStream: random.chance(0.7),
          isMessage: random.chance(0.3),
          script: {
            promptTokens: random.between(1, 100),
            completionTokens: random.between(0, 15),
            gapMs: random.between(0, 6),
          },
        },
      onReceived: (call) => {
        received.push(call);
        // A gateway or a store that is away is asked again a moment later, as clients do.
        return call.isComplete ? undefined : Bun.sleep(PAUSE_MS);
      },
    }),
  );
  const countComplete = () => received.filter(({ isComplete }) => isComplete).length;
  return {
    received,
    /** Waits until so many more calls were answered whole. @returns how long that took. */
    goesOn(calls = 1, withinMs?: number) {
      const enough = countComplete() + calls;
      return until("the load goes on", () => countComplete() >= enough, withinMs);
    },
    async end(): Promise<Received[]> {
      isOver = true;
      return (await Promise.all(loads)).flat();
    },
  };
}
