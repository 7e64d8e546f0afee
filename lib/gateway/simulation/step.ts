import type { Simulation } from "./simulation";

/** One effect, drawn among the possible ones in proportion to its weight. */
export interface Step {
  readonly name: string;
  readonly weight: number;
  isPossible(simulation: Simulation): boolean;
  /** @returns what it did, for the log. */
  take(simulation: Simulation): string | Promise<string>;
}
