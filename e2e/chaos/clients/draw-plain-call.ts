import type { SeededRandom } from "@/lib/gateway/simulation/seeded-random";
import { PLAIN_MODEL } from "../start-stage";
import type { NextCall } from "./keep-calling";

/** Draws a call of the plain model: streamed or not, through chat or messages, of some length and pace. */
export function drawPlainCall(random: SeededRandom): NextCall {
  return {
    model: PLAIN_MODEL.id,
    isStream: random.chance(0.7),
    isMessage: random.chance(0.3),
    script: {
      promptTokens: random.between(1, 100),
      completionTokens: random.between(0, 15),
      gapMs: random.between(0, 6),
    },
  };
}
