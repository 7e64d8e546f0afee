import type { Scenario } from "./scenario";
import { clientLeaves } from "./scenarios/client-leaves";
import { databaseLocked } from "./scenarios/database-locked";
import { diskFull, fileSizeLimit } from "./scenarios/disk-full";
import { killed } from "./scenarios/killed";
import { lastCent } from "./scenarios/last-cent";
import { randomPrices } from "./scenarios/random-prices";
import { usageForms } from "./scenarios/usage-forms";
import { writerBlocked } from "./scenarios/writer-blocked";

/** Every row of the fault table that is run here, in its order. */
export const scenarios: readonly Scenario[] = [
  lastCent,
  randomPrices,
  killed,
  diskFull,
  fileSizeLimit,
  databaseLocked,
  writerBlocked,
  clientLeaves,
  usageForms,
];
