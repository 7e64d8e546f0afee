import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { builtInRateLimits } from "@/lib/contract/rate-limit-table";
import { toNano, ZERO } from "@/lib/money/amount";
import { EmbeddedAdmissions } from "../admission/embedded-admissions";
import { SpendBook } from "../balance/spend-limits/spend-book";
import { admitAndHold } from "../completions/holds/admit-and-hold";
import { OpenHolds } from "../completions/holds/open-holds";
import { type MediaClient, OrderNotSent, OrderRefused } from "../providers/media-client";
import { simulatedEffects } from "../simulation/simulated-effects";
import { openSqliteFunds } from "../store/ledger/open-sqlite-funds";
import { createSqliteLedgerReader } from "../store/ledger/sqlite-ledger-reader";
import { openTemporaryDatabase, testRequest } from "../store/open-temporary-database";
import { createSqliteTaskClaims, TASK_CLAIM_MS } from "../store/tasks/sqlite-task-claims";
import { createSqliteTaskStore } from "../store/tasks/sqlite-task-store";
import { DEADLINE_MARGIN_MS } from "./advance-task";
import { TaskWorker } from "./task-worker";

const unit = { unit: "image", amount: toNano(1_000_000n) };
const price = { inputPer1m: ZERO, outputPer1m: ZERO, rate: toNano(1_000_000_000n), perUnit: unit };
const order = {
  family: "image",
  prompt: "x",
  count: 1,
  size: null,
  seconds: null,
  quality: null,
  further: {},
};

/** A provider that carries out an order each time it is sent. */
class ForgetfulProvider implements MediaClient {
  submitsOnce = false;
  readonly pollMs = 1_000;
  readonly made: string[] = [];
  onSubmit: () => void = () => {};
  state: Awaited<ReturnType<MediaClient["poll"]>> = { kind: "succeeded", mimeTypes: ["image/png"] };

  async submit(_: unknown, key: string) {
    this.made.push(key);
    this.onSubmit();
    return `remote-${this.made.length}`;
  }
  async poll() {
    return this.state;
  }
  async cancel() {}
  async open() {
    return new Blob(["bytes"]).stream();
  }
}

async function setUp() {
  const temporary = await openTemporaryDatabase();
  const effects = simulatedEffects();
  const funds = await openSqliteFunds({
    claim: temporary.claim(),
    secret: new Uint8Array(32),
    onFailure: () => {},
  });
  const payment = { id: "txn_p", amount: toNano(10_000_000n), reference: null, createdAtMs: 0 };
  await funds.recordPayment(payment, null, testRequest.event);
  const spend = new SpendBook({ limits: [], spent: [], nowMs: 0 });
  const admissions = new EmbeddedAdmissions(funds, spend, { clock: effects.clock, currency: "USD" });
  const provider = new ForgetfulProvider();
  const deleted: string[] = [];
  const tasks = createSqliteTaskStore(temporary.reads);
  const workerOf = (owner: string) =>
    new TaskWorker({
      claims: createSqliteTaskClaims(temporary.reads, temporary.run, { owner, secret: new Uint8Array(32) }),
      funds,
      admissions,
      effects,
      catalogue: { find: () => ({ routes: [{ provider: "p", model: "m" }] }) as never },
      directory: { find: () => undefined },
      mediaClientOf: () => provider,
      outputFiles: {
        write: async () => 5,
        open: async () => null,
        delete: async (id) => void deleted.push(id),
      },
      logFault: () => {},
    });
  const request = {
    projectId: "proj_1",
    keyId: "key_1",
    model: "painter",
    limits: builtInRateLimits,
    price,
    promptTokens: 0,
    maxOutputTokens: 0,
    expectedOutputTokens: 0,
    choices: 1,
    units: 1_000_000,
  };
  const ledger = { admissions, funds, effects, openHolds: new OpenHolds() };
  const task = {
    id: "task_1",
    family: "image",
    input: JSON.stringify(order),
    settings: "null",
    callbackUrl: null,
    reply: "{}",
  } as const;
  await admitAndHold(ledger, request, { requestId: "req_1", stream: false, startedAtMs: 0, task });
  const work = async (worker: TaskWorker) => {
    await worker.workOnDue();
    await worker.settled();
  };
  return {
    provider,
    /** The tasks whose files were deleted. */
    deleted,
    cancel: () =>
      temporary.run((transaction) => tasks.requestCancel(transaction, "task_1", effects.clock.nowMs())),
    effects,
    workerOf,
    work,
    find: () => tasks.find("task_1"),
    balance: () => createSqliteLedgerReader(temporary.reads).balance(),
    async [Symbol.asyncDispose]() {
      await funds.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

const held = { posted: toNano(10_000_000n), held: toNano(1_000_000n) };
const released = { posted: toNano(10_000_000n), held: ZERO };
const charged = { posted: toNano(9_000_000n), held: ZERO };

test("a task is made once and charged once, by whoever works on it", async () => {
  await using scene = await setUp();
  const { effects, work, workerOf, provider } = scene;
  await work(workerOf("one"));
  expect(await scene.balance()).toMatchObject(held);
  effects.pass(1_000);
  await Promise.all([work(workerOf("two")), work(workerOf("three"))]);
  expect(await scene.find()).toMatchObject({ status: "succeeded", charged: { units: 1_000_000 } });
  expect([await scene.balance(), provider.made]).toMatchObject([charged, ["task_1"]]);
});

test("a provider whose answer was lost gets nothing twice, and nothing is paid back until the deadline", async () => {
  await using scene = await setUp();
  const { effects, work, workerOf, provider } = scene;
  provider.onSubmit = () => {
    throw new Error("connection reset");
  };
  await work(workerOf("one"));
  for (let look = 0; look < 5; look++) {
    effects.pass(3_600_000);
    await work(workerOf("two"));
  }
  expect(await scene.find()).toMatchObject({ status: "running", isStateUnknown: true });
  expect([await scene.balance(), provider.made]).toMatchObject([held, ["task_1"]]);
  effects.pass(DAY_MS - 5 * 3_600_000 - DEADLINE_MARGIN_MS + 1_000);
  await work(workerOf("two"));
  expect(await scene.find()).toMatchObject({ status: "failed", error: { code: "provider_state_unknown" } });
  expect(await scene.balance()).toMatchObject(charged);
});

test("a process that dies while it sends leaves it open whether it was sent", async () => {
  await using scene = await setUp();
  const { effects, work, workerOf, provider } = scene;
  const dead = workerOf("one");
  provider.onSubmit = () => {
    void dead.close();
    throw new Error("killed");
  };
  await work(dead);
  effects.pass(TASK_CLAIM_MS + 1_000);
  await work(workerOf("two"));
  expect(await scene.find()).toMatchObject({ isStateUnknown: true });
  expect(provider.made).toEqual(["task_1"]);
});

test("one that makes an order once under its key gets it again", async () => {
  await using scene = await setUp();
  const { effects, work, workerOf, provider } = scene;
  provider.submitsOnce = true;
  provider.onSubmit = () => {
    if (provider.made.length === 1) throw new Error("connection reset");
  };
  await work(workerOf("one"));
  for (let look = 0; look < 3; look++) {
    effects.pass(2_000);
    await work(workerOf("one"));
  }
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect([await scene.balance(), provider.made]).toMatchObject([charged, ["task_1", "task_1"]]);
});

test("sends an order again that did not arrive, and fails a refused one without a charge", async () => {
  await using scene = await setUp();
  const { effects, work, workerOf, provider } = scene;
  provider.onSubmit = () => {
    throw provider.made.length === 1 ? new OrderNotSent("refused") : new OrderRefused("policy", "No.");
  };
  await work(workerOf("one"));
  expect(await scene.find()).toMatchObject({ status: "queued" });
  effects.pass(2_000);
  await work(workerOf("one"));
  expect(await scene.find()).toMatchObject({ status: "failed", error: { code: "policy" } });
  expect([await scene.balance(), provider.made.length]).toMatchObject([released, 2]);
});

test("leaves no file of a task that fails or is canceled half-way", async () => {
  await using scene = await setUp();
  const { effects, work, workerOf, provider, deleted } = scene;
  await work(workerOf("one"));
  effects.pass(1_000);
  provider.state = { kind: "succeeded", mimeTypes: ["image/png", "image/png"] };
  let files = 0;
  provider.open = async () => {
    if (files++ === 1) throw new Error("connection reset");
    return new Blob(["bytes"]).stream();
  };
  await work(workerOf("one"));
  expect([(await scene.find())?.status, deleted]).toEqual(["running", []]);
  provider.state = { kind: "failed", code: "lost", message: "Lost." };
  effects.pass(60_000);
  await work(workerOf("one"));
  expect([(await scene.find())?.status, deleted]).toEqual(["failed", ["task_1"]]);
});

test("a task that is canceled while its provider can't be reached is looked at again at once", async () => {
  await using scene = await setUp();
  const { effects, work, workerOf, provider } = scene;
  await work(workerOf("one"));
  const poll = provider.poll;
  for (let failure = 0; failure < 8; failure++) {
    effects.pass(60_000);
    provider.poll = async () => {
      // The cancellation comes while the worker waits for the provider.
      if (failure === 7) await scene.cancel();
      throw new Error("connection reset");
    };
    await work(workerOf("one"));
  }
  provider.poll = poll;
  provider.state = { kind: "canceled" };
  await work(workerOf("one"));
  expect(await scene.find()).toMatchObject({ status: "canceled" });
});
