import { builtInRateLimits } from "@/lib/contract/rate-limit-table";
import { toNano } from "@/lib/money/amount";
import { EmbeddedAdmissions } from "../../admission/embedded-admissions";
import { SpendTracker } from "../../balance/spend-limits/spend-tracker";
import { parseJsonObject } from "../../http/parse-json";
import type { CatalogueModel } from "../../models/catalogue";
import { sandboxProvider } from "../../models/provider-directory";
import { ProcessTimers } from "../../simulation/process-timers";
import { simulatedEffects } from "../../simulation/simulated-effects";
import { openSqliteFunds } from "../../store/ledger/open-sqlite-funds";
import { createSqliteLedgerReader } from "../../store/ledger/sqlite-ledger-reader";
import { openTemporaryDatabase, testRequest } from "../../store/testing/open-temporary-database";
import { complete } from "../complete";
import { OpenHolds } from "../holds/open-holds";
import { ReplyReader } from "../replies/reply-reader";
import { parseChatRequest } from "../requests/chat-request";
import { HeldRequest } from "../requests/prepared-request";
import { readClient } from "../requests/read-client";
import { ProviderLinks } from "../upstream/provider-links";

export const limits = builtInRateLimits;

const one = toNano(1_000_000_000n);
const written = {
  rate: one,
  batchRate: null,
  price: { inputPer1m: one, outputPer1m: one },
  unitPrice: null,
  audioPrice: null,
};
const buildModel = (id: string): CatalogueModel => ({
  id,
  family: "chat",
  description: null,
  ...written,
  definedPrices: written,
  pricedAtMs: null,
  maxOutputTokens: 100,
  contextWindow: null,
  typicalOutputTokens: 10,
  routes: [{ provider: "sandbox", model: id }],
  source: "built_in",
  sandbox: true,
  defaultRateLimits: limits,
  createdAtMs: 0,
});

/** The deadlines of its only provider, in simulated time. */
export const deadlines = { connectMs: 60_000, firstByteMs: 1_000, idleMs: 500, totalMs: 60_000 };
/** Deadlines are checked this often. */
export const SWEEP_MS = 50;

/** Calls to a provider with one place, with real money on a temporary database and simulated time. */
export async function openCalls() {
  const providerLimits = { ...deadlines, maxConcurrentRequests: 1, circuit: null };
  const temporary = await openTemporaryDatabase();
  const effects = simulatedEffects();
  const timers = new ProcessTimers(effects.clock.monotonicMs);
  const funds = await openSqliteFunds({
    claim: temporary.claim(),
    secret: new Uint8Array(32),
    onFailure: () => {},
  });
  const payment = { id: "txn_p", amount: toNano(1_000_000_000n), reference: null, createdAtMs: 0 };
  await funds.recordPayment(payment, null, testRequest.event);
  const admissions = new EmbeddedAdmissions(funds, new SpendTracker({ limits: [], spent: [], nowMs: 0 }), {
    clock: effects.clock,
    currency: "USD",
  });
  const context = {
    admissions,
    funds,
    effects,
    openHolds: new OpenHolds(),
    catalogue: { find: buildModel, list: () => [] },
    rateLimitMirror: { effectiveLimits: () => limits },
    modelPermissionMirror: { allows: () => true },
    directory: { find: () => ({ ...sandboxProvider, limits: providerLimits }) },
    links: new ProviderLinks({ clock: effects.clock, timers }),
    replyReader: new ReplyReader(() => {}),
    logFault: () => {},
    consoleUrl: "http://console.test",
  };
  const call = (model: string, stream: boolean, clientSignal = new AbortController().signal) => {
    const text = JSON.stringify({ model, stream, messages: [{ role: "user", content: "one two three" }] });
    return complete(context, {
      exchange: {
        requestId: `req_${model}`,
        clientSignal,
      },
      caller: { id: "key_1", keyId: "key_1", permissionsIn: () => new Set() },
      client: readClient(new Headers(), "chat/completions", null),
      projectId: "proj_1",
      idempotency: null,
      request: new HeldRequest(parseChatRequest(parseJsonObject(Buffer.from(text), { entries: 1_000 }))),
    });
  };
  return {
    admissions,
    funds,
    call,
    stored: () => createSqliteLedgerReader(temporary.reads).balance(),
    openHolds: context.openHolds,
    nowMs: effects.clock.nowMs,
    pass(ms: number) {
      effects.pass(ms);
      timers.runDue();
    },
    database: temporary.reads,
    async [Symbol.asyncDispose]() {
      await funds.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}
