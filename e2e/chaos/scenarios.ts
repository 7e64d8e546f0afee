import type { Scenario } from "./scenario";
import { lastCent } from "./scenarios/last-cent";

/** Every row of the fault table that is run here, in its order. */
export const scenarios: readonly Scenario[] = [lastCent];
