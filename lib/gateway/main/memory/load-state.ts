import { builtInRateLimits, MAX_WINDOW_MS } from "@/lib/contract/calls/rate-limit-table";
import { AccessRefusals } from "../../access/access-refusals";
import { HeldCalls } from "../../calls/holds/held-call";
import { PromptCounter } from "../../calls/holds/prompt-counter";
import { ReplyReader } from "../../calls/replies/reply-reader";
import { RequestReader } from "../../calls/requests/request-reader";
import { BackgroundResponses } from "../../calls/responses/background-responses";
import { ResponseSockets } from "../../calls/responses/response-socket";
import { createLock } from "../../changes/change";
import type { Feed } from "../../changes/feed";
import type { Configuration } from "../../configuration/configuration";
import { BodyReader } from "../../http/body-reader";
import { IdempotencyLocks } from "../../idempotency/idempotency-locks";
import { AdminKeyUses } from "../../keys/admin-keys";
import type { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import { UnaccountedCosts } from "../../ledger/unaccounted/unaccounted-costs";
import { BackgroundAnswers } from "../../prompts/conversations/background-answers";
import { ProviderLinks } from "../../providers/provider-links";
import type { Admissions } from "../../rate-limits/admissions";
import { EmbeddedAdmissions } from "../../rate-limits/embedded-admissions";
import type { LimitWindows } from "../../rate-limits/limit-usage";
import { PostgresAdmissions } from "../../rate-limits/postgres-admissions";
import { PostgresWindows } from "../../rate-limits/postgres-windows.sql";
import type { GatewayOptions } from "../gateway-options";
import type { Stores } from "../open-stores";
import { openCaches } from "./open-caches";

export type State = Awaited<ReturnType<typeof loadState>>;

/** Loads what calls and changes need from the stores into memory. */
export async function loadState(options: GatewayOptions, stores: Stores, configuration: Configuration) {
  const { clock } = options.runtime;
  const defaultRateLimits = { ...builtInRateLimits, ...configuration.defaults };
  const heldCalls = new HeldCalls();
  const hasAlertTarget = options.alertTarget !== null;
  const endAccess = (id: string) => heldCalls.endAccess(id);
  const endLostAccess = () => heldCalls.endLost();
  const links = new ProviderLinks(clock);
  const followClosings: ProviderLinks["followingClosings"] = (directory) =>
    links.followingClosings(directory);
  const memory = {
    ...options,
    lock: createLock(),
    configuration,
    defaultRateLimits,
    hasAlertTarget,
    endAccess,
    endLostAccess,
    followClosings,
  };
  const caches = await openCaches(memory, stores);
  return {
    /** The file that the gateway was started with. */
    configuration,
    defaultRateLimits,
    links,
    admissions: await openAdmissions(options, stores, caches),
    ...caches,
    bodyReader: new BodyReader({ clock, maxSlowPerAddress: options.maxSlowRequestsPerAddress }),
    requestReader: new RequestReader((reason) => options.logFault("request reader", reason)),
    replyReader: new ReplyReader((reason) => options.logFault("reply reader", reason)),
    promptCounter: new PromptCounter((reason) => options.logFault("token counter", reason)),
    heldCalls,
    responseSockets: new ResponseSockets(clock),
    idempotencyLocks: new IdempotencyLocks(),
    adminKeyUses: new AdminKeyUses(stores.keys, caches),
    backgroundAnswers: new BackgroundAnswers(
      { ...stores, ...caches },
      { clock, logFault: (where, error) => options.logFault(where, error) },
    ),
    backgroundResponses: new BackgroundResponses(
      { ...stores, ...caches },
      {
        ...stores,
        clock,
        callbackHosts: options.callbackHosts,
        logFault: (where, error) => options.logFault(where, error),
      },
    ),
    unaccountedCosts: new UnaccountedCosts(stores.unaccountedCostStore, caches, clock),
    accessRefusals: new AccessRefusals(stores.accessRefusalStore, caches, options.runtime),
  };
}

/** Opens admissions, whose windows include the calls admitted before this start. */
async function openAdmissions(
  { runtime: { clock }, maxConcurrentRequests }: Pick<GatewayOptions, "runtime" | "maxConcurrentRequests">,
  {
    funds,
    postgresFunds,
    organization,
    past,
    reads,
  }: Pick<Stores, "funds" | "postgresFunds" | "organization" | "past" | "reads">,
  { spendTracker, feed }: { readonly spendTracker: SpendTracker; readonly feed: Feed },
): Promise<Admissions & { readonly windows: LimitWindows }> {
  const settings = { clock, currency: organization.currency, maxConcurrentRequests };
  if (postgresFunds) {
    postgresFunds.follow(
      () => feed.last,
      ({ scope, spent, held }) => spendTracker.follow(scope, { spent, held }, clock.nowMs()),
    );
    const windows = new PostgresWindows(reads, () => postgresFunds.nowMs());
    return new PostgresAdmissions(postgresFunds, windows, {
      ...settings,
      findSpendLimit: (scope) => spendTracker.find(scope, clock.nowMs())?.limit ?? null,
      noteRefusing: (scope) => spendTracker.noteRefusing(scope),
      readFeed: () => feed.last,
      catchUp: () => feed.catchUp(),
    });
  }
  const admissions = new EmbeddedAdmissions(funds, spendTracker, settings);
  admissions.windows.restore(await past.calls(clock.nowMs(), MAX_WINDOW_MS));
  return admissions;
}
