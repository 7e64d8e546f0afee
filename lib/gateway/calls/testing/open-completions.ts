import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { toNano } from "@/lib/money/amount";
import { openTemporarySqlite, testRequest } from "../../database/testing/open-temporary-database";
import { parseJsonObject } from "../../http/json";
import { openSqliteFunds } from "../../ledger/funds.sql";
import { createLedgerReader } from "../../ledger/reads/ledger-reader.sql";
import { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import type { CatalogueModel } from "../../models/catalogue";
import { sandboxProvider } from "../../models/providers/provider-directory";
import type { AnsweringClient } from "../../providers/provider-client";
import { ProviderLinks } from "../../providers/provider-link";
import { createSandboxClient } from "../../providers/sandbox/sandbox-client";
import { EmbeddedAdmissions } from "../../rate-limits/embedded-admissions";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { complete } from "../call";
import { PromptCounter } from "../holds/admit-and-hold";
import { HeldCalls } from "../holds/held-call";
import { ReplyReader } from "../replies/reply-reader";
import { PreparedChatRequest, parseChatRequest } from "../requests/chat-request";
import { readClient } from "../requests/incoming-call";

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
  definedRoutes: [],
  definedRateLimits: {},
  routedAtMs: null,
  projects: null,
  inputModalities: null,
  source: "built_in",
  sandbox: true,
  defaultRateLimits: builtInRateLimits,
  createdAtMs: 0,
});

/** No test runs this long. */
const patient = {
  connectMs: 60_000,
  wholeAnswerMs: 60_000,
  firstEventMs: 60_000,
  idleMs: 60_000,
  totalMs: 60_000,
};

/**
 * Calls with real funds, limits and stored rows, on a clock that moves when told to, and by itself for deadlines.
 * @param answering wraps the provider that answers the calls, which is otherwise the sandbox.
 */
export async function openCompletions({
  deadlines,
  answering = (sandbox) => sandbox,
}: {
  deadlines?: Partial<typeof patient>;
  answering?: (sandbox: AnsweringClient) => AnsweringClient;
} = {}) {
  const providerLimits = { ...patient, ...deadlines, maxConcurrentRequests: 1, circuit: null };
  const temporary = await openTemporarySqlite();
  const runtime = simulatedRuntime();
  const { nowMs, monotonicMs } = runtime.clock;
  if (deadlines) runtime.clock = { nowMs, monotonicMs: () => monotonicMs() + performance.now() };
  const funds = await openSqliteFunds({
    claim: temporary.claim(),
    secret: new Uint8Array(32),
    onFailure: () => {},
  });
  const payment = { id: "txn_p", amount: toNano(1_000_000_000n), reference: null, createdAtMs: 0 };
  await funds.recordPayment(payment, null, testRequest.event);
  const admissions = new EmbeddedAdmissions(funds, new SpendTracker({ limits: [], spent: [], nowMs: 0 }), {
    clock: runtime.clock,
    currency: "USD",
  });
  const context = {
    admissions,
    funds,
    runtime,
    heldCalls: new HeldCalls(),
    promptCounter: new PromptCounter(() => {}),
    catalogue: { find: buildModel, list: () => [] },
    rateLimitCache: { effectiveLimits: () => builtInRateLimits },
    modelPermissionCache: { allows: () => true },
    projectCache: { find: () => undefined },
    directory: { find: () => ({ ...sandboxProvider, limits: providerLimits }) },
    links: new ProviderLinks(runtime.clock, () => answering(createSandboxClient(runtime))),
    replyReader: new ReplyReader(() => {}),
    logFault: () => {},
    consoleUrl: "http://console.test",
  };
  const call = (model: string, { stream = false, clientSignal = new AbortController().signal } = {}) => {
    const text = JSON.stringify({ model, stream, messages: [{ role: "user", content: "one two three" }] });
    return complete(context, {
      requestContext: { requestId: `req_${model}`, clientSignal },
      caller: { id: "key_1", keyId: "key_1", permissionsIn: () => new Set() },
      client: readClient(new Headers(), "chat/completions", null),
      projectId: "proj_1",
      refuseEndedAccess: () => {},
      idempotency: null,
      request: new PreparedChatRequest(
        parseChatRequest(parseJsonObject(Buffer.from(text), { entries: 1_000 })),
      ),
    });
  };
  return {
    admissions,
    funds,
    call,
    stored: () => createLedgerReader(temporary.reads).balance(),
    heldCalls: context.heldCalls,
    pass: runtime.pass,
    stepWallClock: runtime.stepWallClock,
    database: temporary.reads,
    async [Symbol.asyncDispose]() {
      await funds.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}
