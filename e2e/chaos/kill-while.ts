import { setTimeout } from "node:timers/promises";
import type { Gateway } from "../support/programs/start-gateway";
import type { ScenarioOrder } from "./scenario";

/**
 * Kills the gateway that many times, each time at a seeded moment, and starts it again.
 * @returns what `work` returned.
 */
export async function killWhile<Result>(
  gateway: Pick<Gateway, "restart">,
  { kills, withinMs, random }: { kills: number; withinMs: number; random: ScenarioOrder["random"] },
  work: Promise<Result>,
): Promise<Result> {
  for (let kill = 0; kill < kills; kill++) {
    // Nothing is expected to have happened by then: a kill may come at any moment.
    await setTimeout(random.between(0, withinMs));
    await gateway.restart("SIGKILL");
  }
  return work;
}
