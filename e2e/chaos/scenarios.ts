import type { Scenario } from "./scenario";
import { anyWindow } from "./scenarios/any-window";
import { batchesKilled } from "./scenarios/batches-killed";
import { borrowedIdentity } from "./scenarios/borrowed-identity";
import { brokenConnections } from "./scenarios/broken-connections";
import { brokenReplies } from "./scenarios/broken-replies";
import { bucketFails } from "./scenarios/bucket-fails";
import { clientLeaves } from "./scenarios/client-leaves";
import { clockSteps } from "./scenarios/clock-steps";
import { closingKilled } from "./scenarios/closing-killed";
import { databaseLocked } from "./scenarios/database-locked";
import { deadLinks } from "./scenarios/dead-links";
import { deadlines } from "./scenarios/deadlines";
import { diskFull, fileSizeLimit } from "./scenarios/disk-full";
import { earlyUsage } from "./scenarios/early-usage";
import { endedAccess } from "./scenarios/ended-access";
import { floodBodies } from "./scenarios/flood-bodies";
import { floodReplies } from "./scenarios/flood-replies";
import { forgedRows } from "./scenarios/forged-rows";
import { guessing } from "./scenarios/guessing";
import { hiddenPrompts } from "./scenarios/hidden-prompts";
import { idleConnections } from "./scenarios/idle-connections";
import { killed, killedWithFaults, stopped } from "./scenarios/killed";
import { largeReplies } from "./scenarios/large-replies";
import { lastCent } from "./scenarios/last-cent";
import { lastOfMonth } from "./scenarios/last-of-month";
import { lastSlots } from "./scenarios/last-slots";
import { oneKeyTakesAll } from "./scenarios/one-key-takes-all";
import { oneRefuses } from "./scenarios/one-refuses";
import { providerRefuses } from "./scenarios/provider-refuses";
import { providerSaturated } from "./scenarios/provider-saturated";
import { randomPrices } from "./scenarios/random-prices";
import { refusalsFillDisk } from "./scenarios/refusals-fill-disk";
import { retryAfter } from "./scenarios/retry-after";
import { sameKey } from "./scenarios/same-key";
import { sameKeyKilled } from "./scenarios/same-key-killed";
import { secondSay } from "./scenarios/second-say";
import { slowBodies } from "./scenarios/slow-bodies";
import { storeVanishes } from "./scenarios/store-vanishes";
import { taskApisKilled } from "./scenarios/task-apis-killed";
import { tasksKilled } from "./scenarios/tasks-killed";
import { usageForms } from "./scenarios/usage-forms";
import { writerBlocked } from "./scenarios/writer-blocked";

/** The rows by what they attack, in the order in which they run. */
export const scenarioGroups: Readonly<Record<string, readonly Scenario[]>> = {
  money: [
    lastCent,
    lastOfMonth,
    randomPrices,
    killed,
    stopped,
    diskFull,
    fileSizeLimit,
    databaseLocked,
    writerBlocked,
    clientLeaves,
    usageForms,
    closingKilled,
  ],
  limits: [lastSlots, anyWindow, oneRefuses, retryAfter, clockSteps],
  provider: [
    deadlines,
    brokenConnections,
    brokenReplies,
    providerRefuses,
    providerSaturated,
    largeReplies,
    killedWithFaults,
  ],
  tasks: [tasksKilled, taskApisKilled, bucketFails],
  batches: [batchesKilled],
  idempotency: [sameKey, sameKeyKilled],
  /** Malicious clients. */
  attacks: [
    floodBodies,
    floodReplies,
    slowBodies,
    idleConnections,
    refusalsFillDisk,
    storeVanishes,
    oneKeyTakesAll,
    secondSay,
    hiddenPrompts,
    earlyUsage,
    guessing,
    deadLinks,
    borrowedIdentity,
    forgedRows,
    endedAccess,
  ],
};

/** All rows of the fault table that this harness runs. */
export const scenarios: readonly Scenario[] = Object.values(scenarioGroups).flat();
