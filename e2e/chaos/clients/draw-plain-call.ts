import type { SeededRandom } from "@/lib/gateway/simulation/seeded-random";
import { PLAIN_MODEL } from "../start-stage";
import type { NextCall } from "./keep-calling";

export const protocols = ["chat", "messages", "responses"] as const;

/** Draws a call of the plain model: streamed or not, in each of the protocols, of some length and pace. */
export function drawPlainCall(random: SeededRandom): NextCall {
  const protocol = random.pick(protocols);
  return {
    model: PLAIN_MODEL.id,
    isStream: random.chance(0.7),
    isMessage: protocol === "messages",
    isResponse: protocol === "responses",
    script: {
      promptTokens: random.between(1, 100),
      completionTokens: random.between(0, 15),
      gapMs: random.between(0, 6),
    },
  };
}
