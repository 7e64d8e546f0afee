import { until } from "../../support/clients/until";
import type { Received } from "../clients/call-gateway";
import { drawPlainCall } from "../clients/draw-plain-call";
import { keepCalling } from "../clients/keep-calling";
import type { ScenarioOrder } from "../scenario";
import type { ManyStage } from "./start-many-gateways";

const PAUSE_MS = 20;

/** A call of the load, with its beginning on the monotonic clock of this process. */
interface Timed extends Received {
  readonly gateway: number;
  readonly beganAtMs: number;
}

/** Calls all gateways until `end`: plain and streamed, through chat and messages. */
export function loadMany(
  { places }: ManyStage,
  { random }: Pick<ScenarioOrder, "random">,
  chooseBaseUrl?: () => string,
) {
  let isOver = false;
  const received: Timed[] = [];
  const loads = places.map((place, index) =>
    keepCalling(place, {
      prefix: `g${index}-`,
      ...(chooseBaseUrl && { chooseBaseUrl }),
      next: () => !isOver && drawPlainCall(random),
      onReceived: (call) => {
        received.push({ ...call, gateway: index, beganAtMs: performance.now() - call.elapsedMs });
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
    /** Waits until each gateway has answered a call whole that began after this. @returns how long that took. */
    goesOnEverywhere(withinMs?: number) {
      return this.answered(
        places.map((_place, index) => index),
        withinMs,
      );
    },
    /** The same of these gateways. */
    answered(gateways: readonly number[], withinMs?: number) {
      const nowMs = performance.now();
      const answers = (index: number) =>
        received.some(
          ({ gateway, isComplete, beganAtMs }) => gateway === index && isComplete && beganAtMs > nowMs,
        );
      return until("each gateway answers", () => gateways.every(answers), withinMs);
    },
    async end(): Promise<Received[]> {
      isOver = true;
      return (await Promise.all(loads)).flat();
    },
  };
}
