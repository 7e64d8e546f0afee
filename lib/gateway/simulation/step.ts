import type { Simulation } from "./simulation";

/** One effect, chosen in proportion to its weight among those that are possible. */
export interface Step {
  readonly name: string;
  readonly weight: number;
  isPossible(simulation: Simulation): boolean;
  /** @returns what it was about, for the log. */
  take(simulation: Simulation): string | Promise<string>;
}
