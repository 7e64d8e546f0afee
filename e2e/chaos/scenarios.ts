import type { Scenario } from "./scenario";
import { killed } from "./scenarios/killed";
import { lastCent } from "./scenarios/last-cent";
import { randomPrices } from "./scenarios/random-prices";

/** Every row of the fault table that is run here, in its order. */
export const scenarios: readonly Scenario[] = [lastCent, randomPrices, killed];
