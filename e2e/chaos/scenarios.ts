import type { Scenario } from "./scenario";
import { borrowedIdentity } from "./scenarios/attacks/borrowed-identity";
import { deadLinks } from "./scenarios/attacks/dead-links";
import { earlyUsage } from "./scenarios/attacks/early-usage";
import { endedAccess } from "./scenarios/attacks/ended-access";
import { floodBodies } from "./scenarios/attacks/flood-bodies";
import { floodReplies } from "./scenarios/attacks/flood-replies";
import { forgedRows } from "./scenarios/attacks/forged-rows";
import { guessing } from "./scenarios/attacks/guessing";
import { hiddenPrompts } from "./scenarios/attacks/hidden-prompts";
import { idleConnections } from "./scenarios/attacks/idle-connections";
import { limitedKeys } from "./scenarios/attacks/limited-keys";
import { oneKeyTakesAll } from "./scenarios/attacks/one-key-takes-all";
import { refusalsFillDisk } from "./scenarios/attacks/refusals-fill-disk";
import { secondSay } from "./scenarios/attacks/second-say";
import { slowBodies } from "./scenarios/attacks/slow-bodies";
import { storeVanishes } from "./scenarios/attacks/store-vanishes";
import { taskFollowers } from "./scenarios/attacks/task-followers";
import { batchAccessEnds } from "./scenarios/batches/batch-access-ends";
import { batchesKilled } from "./scenarios/batches/batches-killed";
import { sameKey } from "./scenarios/idempotency/same-key";
import { sameKeyKilled } from "./scenarios/idempotency/same-key-killed";
import { anyWindow } from "./scenarios/limits/any-window";
import { changesKilled } from "./scenarios/limits/changes-killed";
import { clockSteps } from "./scenarios/limits/clock-steps";
import { lastSlots } from "./scenarios/limits/last-slots";
import { oneRefuses } from "./scenarios/limits/one-refuses";
import { retryAfter } from "./scenarios/limits/retry-after";
import { manyCutOff } from "./scenarios/many/cut-off";
import {
  manyExpiredLease,
  manyOldSnapshot,
  manyPaused,
  postgresLocked,
  postgresReadOnly,
} from "./scenarios/many/disturbed";
import { manyKilled } from "./scenarios/many/kills";
import {
  answersTooEarly,
  postgresDiskFull,
  postgresKilled,
  postgresRestart,
  postgresStandby,
} from "./scenarios/many/postgres-kills";
import {
  manyLastCent,
  manyLastSlots,
  manyLastTokens,
  manyRevoked,
  manySameKey,
  manySpendLimit,
} from "./scenarios/many/races";
import { manyRestart, manyVersions } from "./scenarios/many/restart";
import { manyAnyWindow, manyClocks, postgresClock } from "./scenarios/many/windows";
import { manyBatches, manyTasks } from "./scenarios/many/work";
import { backgroundKilled } from "./scenarios/money/background-killed";
import { clientLeaves } from "./scenarios/money/client-leaves";
import { closingKilled } from "./scenarios/money/closing-killed";
import { databaseLocked } from "./scenarios/money/database-locked";
import { diskFull, fileSizeLimit } from "./scenarios/money/disk-full";
import { killed, killedWithFaults, stopped } from "./scenarios/money/killed";
import { lastCent } from "./scenarios/money/last-cent";
import { lastOfMonth } from "./scenarios/money/last-of-month";
import { onePerson } from "./scenarios/money/one-person";
import { randomPrices } from "./scenarios/money/random-prices";
import { usageForms } from "./scenarios/money/usage-forms";
import { writerBlocked } from "./scenarios/money/writer-blocked";
import { brokenConnections } from "./scenarios/provider/broken-connections";
import { brokenReplies } from "./scenarios/provider/broken-replies";
import { bufferingProxy } from "./scenarios/provider/buffering-proxy";
import { deadlines } from "./scenarios/provider/deadlines";
import { largeReplies } from "./scenarios/provider/large-replies";
import { everySecondFails, providerDies } from "./scenarios/provider/provider-dies";
import { providerRefuses } from "./scenarios/provider/provider-refuses";
import { providerSaturated } from "./scenarios/provider/provider-saturated";
import { killedFirstStart } from "./scenarios/starts/killed-first-start";
import { killedUpgrade } from "./scenarios/starts/killed-upgrade";
import { bucketFails } from "./scenarios/tasks/bucket-fails";
import { taskApisKilled } from "./scenarios/tasks/task-apis-killed";
import { tasksKilled } from "./scenarios/tasks/tasks-killed";

/** The scenarios by what they attack, in the order in which they run. A group has the name of its folder. */
export const scenarioGroups: Readonly<Record<string, readonly Scenario[]>> = {
  money: [
    lastCent,
    lastOfMonth,
    randomPrices,
    killed,
    backgroundKilled,
    stopped,
    diskFull,
    fileSizeLimit,
    databaseLocked,
    writerBlocked,
    clientLeaves,
    usageForms,
    closingKilled,
    onePerson,
  ],
  starts: [killedFirstStart, killedUpgrade],
  limits: [lastSlots, anyWindow, oneRefuses, retryAfter, clockSteps, changesKilled],
  provider: [
    deadlines,
    bufferingProxy,
    brokenConnections,
    brokenReplies,
    providerRefuses,
    providerDies,
    everySecondFails,
    providerSaturated,
    largeReplies,
    killedWithFaults,
  ],
  tasks: [tasksKilled, taskApisKilled, bucketFails],
  batches: [batchesKilled, batchAccessEnds],
  idempotency: [sameKey, sameKeyKilled],
  /** Several gateways on one PostgreSQL. */
  many: [
    manyLastCent,
    manyLastSlots,
    manyLastTokens,
    manySpendLimit,
    manySameKey,
    manyAnyWindow,
    manyRevoked,
    manyCutOff,
    manyKilled,
    manyPaused,
    manyExpiredLease,
    manyRestart,
    manyVersions,
    postgresKilled,
    answersTooEarly,
    postgresRestart,
    postgresLocked,
    postgresReadOnly,
    postgresDiskFull,
    postgresStandby,
    postgresClock,
    manyClocks,
    manyTasks,
    manyBatches,
    manyOldSnapshot,
  ],
  /** Malicious clients. */
  attacks: [
    floodBodies,
    floodReplies,
    slowBodies,
    idleConnections,
    taskFollowers,
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
    limitedKeys,
  ],
};

/** All of them. */
export const scenarios: readonly Scenario[] = Object.values(scenarioGroups).flat();
