import type { AccessRefusals } from "../../access/access-refusals";
import type { GrantContext } from "../../access-requests/access-grants";
import { endGrants } from "../../access-requests/grants";
import type { HeldCalls } from "../../calls/holds/held-call";
import type { BackgroundResponses } from "../../calls/responses/background-responses";
import type { ResponseSockets } from "../../calls/responses/response-socket";
import type { Changes } from "../../changes/change";
import type { Feed } from "../../changes/feed";
import { PostgresListener } from "../../changes/postgres-listener";
import type { BodyReader } from "../../http/body-reader";
import type { AdminKeyUses } from "../../keys/admin-keys";
import type { UnaccountedCosts } from "../../ledger/unaccounted/unaccounted-costs";
import type { Catalogue } from "../../models/catalogue";
import { applyDuePrices, type ScheduledPriceCache } from "../../models/scheduled-prices";
import type { StoreOptions } from "../gateway-options";
import { forgetOldSignIns, type Stores } from "../open-stores";
import type { SteadyClock } from "./steady-clock";

const REAP_MS = 30_000;
const TAKE_OVER_MS = 5_000;
const SWEEP_MS = 1_000;

interface Maintained
  extends Pick<
    GrantContext,
    | "runningGrants"
    | "rateLimitCache"
    | "projectCache"
    | "userCache"
    | "graph"
    | "spendTracker"
    | "modelPermissionCache"
  > {
  readonly heldCalls: HeldCalls;
  readonly bodyReader: BodyReader;
  readonly responseSockets: ResponseSockets;
  readonly backgroundResponses: Pick<BackgroundResponses, "sweep" | "takeOver">;
  readonly adminKeyUses: AdminKeyUses;
  readonly accessRefusals: AccessRefusals;
  readonly unaccountedCosts: UnaccountedCosts;
  readonly changes: Changes;
  readonly catalogue: Catalogue;
  readonly scheduledPriceCache: ScheduledPriceCache;
  readonly steadyClock: Pick<SteadyClock, "mayBeFarOff">;
}

/** Runs the recurring work that keeps memory and store in order. @returns a function that ends it. */
export function runMaintenance(
  {
    runtime,
    logFault,
    followMs,
    databaseUrl,
  }: Pick<StoreOptions, "runtime" | "logFault" | "databaseUrl"> & { followMs: number | null },
  stores: Stores,
  state: Maintained,
): () => Promise<void> {
  const {
    heldCalls,
    bodyReader,
    responseSockets,
    backgroundResponses,
    adminKeyUses,
    accessRefusals,
    unaccountedCosts,
    changes,
    steadyClock,
  } = state;
  const { clock } = runtime;
  const underWay = new Set<Promise<unknown>>();
  const run = (where: string, work: Promise<unknown>) => {
    const done = work.catch((error: unknown) => logFault(where, error)).finally(() => underWay.delete(done));
    underWay.add(done);
  };
  const reap = () => {
    heldCalls.settleOverdue();
    run("admin key uses", adminKeyUses.keep());
    if (steadyClock.mayBeFarOff()) return;
    run("sign-in attempts", forgetOldSignIns(stores, { changes }, clock.nowMs()));
  };
  const takeOver = () => {
    run("holds of others", stores.funds.takeOver("expired", clock.nowMs()));
    run("responses of others", backgroundResponses.takeOver());
  };
  const sweep = () => {
    bodyReader.sweep();
    heldCalls.sweep();
    responseSockets.sweep();
    run("cancelled responses", backgroundResponses.sweep());
    run("refused access", accessRefusals.flush());
    run("unaccounted costs", unaccountedCosts.flush());
    if (steadyClock.mayBeFarOff()) return;
    run("access given for a time", endGrants({ ...stores, ...state, runtime }));
    run("scheduled prices", applyDuePrices({ ...stores, ...state, runtime }));
  };
  const timers = [
    setInterval(reap, REAP_MS),
    setInterval(takeOver, TAKE_OVER_MS),
    setInterval(sweep, SWEEP_MS),
  ];
  for (const timer of timers) timer.unref();
  const endFollowing = followMs === null ? null : follow(changes.feed, { followMs, databaseUrl, logFault });
  return async () => {
    timers.forEach(clearInterval);
    endFollowing?.();
    await Promise.all(underWay);
  };
}

/** A revoked key must be refused everywhere within a second. */
export const FOLLOW_MS = 250;
/** Who hears of changes asks for them more seldom, in case that a connection is dead without having ended. */
const HEARING_MS = 5_000;

function follow(
  feed: Pick<Feed, "catchUp">,
  options: Pick<StoreOptions, "logFault" | "databaseUrl"> & { readonly followMs: number },
): () => void {
  const { followMs, databaseUrl, logFault } = options;
  if (!databaseUrl) return followOthers(feed, followMs, logFault);
  const catchUp = () => feed.catchUp().catch((error: unknown) => logFault("feed of changes", error));
  const listener = new PostgresListener(databaseUrl, () => void catchUp());
  const ends = [
    startMachineTimer(followMs, () => listener.isHearing || void catchUp()),
    followOthers(feed, HEARING_MS, logFault),
    () => void listener.close(),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Runs a function at an interval. @returns a function that stops it. */
export type StartInterval = (ms: number, action: () => void) => () => void;

const startMachineTimer: StartInterval = (ms, action) => {
  const timer = setInterval(action, ms).unref();
  return () => clearInterval(timer);
};

/**
 * Checks for other processes' changes at an interval. A failed check does not stop the next one.
 * @returns a function that stops it.
 */
export function followOthers(
  feed: Pick<Feed, "catchUp">,
  everyMs: number,
  logFault: (where: string, error: unknown) => void,
  every: StartInterval = startMachineTimer,
): () => void {
  return every(everyMs, () => {
    feed.catchUp().catch((error: unknown) => logFault("feed of changes", error));
  });
}
