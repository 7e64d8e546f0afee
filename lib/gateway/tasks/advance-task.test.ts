import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { toNano, ZERO } from "@/lib/money/amount";
import { WORK_CLAIM_MS } from "../claim-times";
import { OrderNotSent, OrderRefused } from "../providers/media-client";
import { DEADLINE_MARGIN_MS } from "./task-work";
import { openTaskScene } from "./testing/task-scene";

const heldBalance = { posted: toNano(10_000_000n), held: toNano(1_000_000n) };
const releasedBalance = { posted: toNano(10_000_000n), held: ZERO };
const chargedBalance = { posted: toNano(9_000_000n), held: ZERO };

test("a process that slept while it sent an order doesn't send it again", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  const worker = createWorker("one");
  const [requestStart, replyRelease] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  provider.onSubmit = () => {
    requestStart.resolve();
    return replyRelease.promise;
  };
  await worker.workOnDue();
  await requestStart.promise;
  runtime.pass(WORK_CLAIM_MS + 1);
  await worker.workOnDue();
  replyRelease.resolve();
  await worker.waitUntilIdle();
  runtime.pass(1_000);
  await work(worker);
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect([await scene.balance(), provider.made]).toMatchObject([chargedBalance, ["task_1"]]);
});

test("a process that lost its claim before it sent the order doesn't send it", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  let isTaken = false;
  const late = createWorker("one", (claims) => ({
    ...claims,
    async save(id, step) {
      if (!isTaken) {
        isTaken = true;
        runtime.pass(WORK_CLAIM_MS + 1);
        await work(createWorker("two"));
      }
      return claims.save(id, step);
    },
  }));
  await work(late);
  expect(provider.made).toEqual(["task_1"]);
});

test("a task is made once and charged once, by any number of workers", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  await work(createWorker("one"));
  expect(await scene.balance()).toMatchObject(heldBalance);
  runtime.pass(1_000);
  await Promise.all([work(createWorker("two")), work(createWorker("three"))]);
  expect(await scene.find()).toMatchObject({ status: "succeeded", charged: { units: 1_000_000 } });
  expect([await scene.balance(), provider.made]).toMatchObject([chargedBalance, ["task_1"]]);
});

test("a provider whose reply was lost isn't called twice, and its hold stays until the deadline", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  provider.onSubmit = () => {
    throw new Error("connection reset");
  };
  await work(createWorker("one"));
  for (let look = 0; look < 5; look++) {
    runtime.pass(HOUR_MS);
    await work(createWorker("two"));
  }
  expect(await scene.find()).toMatchObject({ status: "running", isStateUnknown: true });
  expect([await scene.balance(), provider.made]).toMatchObject([heldBalance, ["task_1"]]);
  runtime.pass(DAY_MS - 5 * HOUR_MS - DEADLINE_MARGIN_MS + 1_000);
  await work(createWorker("two"));
  expect(await scene.find()).toMatchObject({ status: "failed", error: { code: "provider_state_unknown" } });
  expect(await scene.balance()).toMatchObject(chargedBalance);
});

test("a process that dies while it sends leaves it open whether it was sent", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  const dead = createWorker("one");
  provider.onSubmit = () => {
    void dead.close();
    throw new Error("killed");
  };
  await work(dead);
  runtime.pass(WORK_CLAIM_MS + 1_000);
  await work(createWorker("two"));
  expect(await scene.find()).toMatchObject({ isStateUnknown: true });
  expect(provider.made).toEqual(["task_1"]);
});

test("a process that closes waits for an order that can't be sent again, and delivers what was made", async () => {
  await using scene = await openTaskScene();
  const { createWorker, provider, timers } = scene;
  timers.wait = (_, signal) =>
    new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
  const [requestStart, replyRelease] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  provider.files = [{ mimeType: "image/png", bytes: new Uint8Array(5) }];
  provider.onSubmit = (signal) => {
    signal.addEventListener("abort", () => replyRelease.reject(signal.reason));
    requestStart.resolve();
    return replyRelease.promise;
  };
  const worker = createWorker("one");
  await worker.workOnDue();
  await requestStart.promise;
  const closed = worker.close();
  replyRelease.resolve();
  await closed;
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect([await scene.balance(), provider.made]).toMatchObject([chargedBalance, ["task_1"]]);
});

test("a process that closes before it sent an order doesn't send it, and the next one does", async () => {
  await using scene = await openTaskScene();
  const { work, createWorker, provider, runtime } = scene;
  let closed: Promise<void> | null = null;
  const worker = createWorker("one", (claims) => ({
    ...claims,
    save: async (id, step) => {
      closed ??= worker.close();
      return claims.save(id, step);
    },
  }));
  await work(worker);
  await closed;
  expect([await scene.find(), provider.made]).toMatchObject([{ status: "queued" }, []]);
  const next = createWorker("two");
  await work(next);
  runtime.pass(1_000);
  await work(next);
  expect([await scene.find(), provider.made]).toMatchObject([{ status: "succeeded" }, ["task_1"]]);
});

test("an order is repeated at a provider that makes it once per key", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  provider.submitsOnce = true;
  provider.onSubmit = () => {
    if (provider.made.length === 1) throw new Error("connection reset");
  };
  await work(createWorker("one"));
  for (let look = 0; look < 3; look++) {
    runtime.pass(2_000);
    await work(createWorker("one"));
  }
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect([await scene.balance(), provider.made]).toMatchObject([chargedBalance, ["task_1", "task_1"]]);
});

test("sends an order again that did not arrive, and fails a refused one without a charge", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  provider.onSubmit = () => {
    throw provider.made.length === 1 ? new OrderNotSent("refused") : new OrderRefused("policy", "No.");
  };
  await work(createWorker("one"));
  expect(await scene.find()).toMatchObject({ status: "queued" });
  runtime.pass(2_000);
  await work(createWorker("one"));
  expect(await scene.find()).toMatchObject({ status: "failed", error: { code: "policy", message: "No." } });
  expect([await scene.balance(), provider.made.length]).toMatchObject([releasedBalance, 2]);
});

test("leaves no file of a task that fails or is canceled half-way", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider, deletedFiles } = scene;
  await work(createWorker("one"));
  runtime.pass(1_000);
  provider.state = { kind: "succeeded", files: [{ position: 0 }, { position: 1 }] };
  let files = 0;
  provider.open = async () => {
    if (files++ === 1) throw new Error("connection reset");
    return { mimeType: "image/png", bytes: new Blob(["bytes"]).stream() };
  };
  await work(createWorker("one"));
  expect([(await scene.find())?.status, deletedFiles]).toEqual(["running", []]);
  provider.state = { kind: "failed", code: "lost", message: "Lost." };
  runtime.pass(MINUTE_MS);
  await work(createWorker("one"));
  expect([(await scene.find())?.status, deletedFiles]).toEqual(["failed", ["task_1"]]);
});

test("a task that is canceled while its provider can't be reached is looked at again at once", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  await work(createWorker("one"));
  const poll = provider.poll;
  for (let failure = 0; failure < 8; failure++) {
    runtime.pass(MINUTE_MS);
    provider.poll = async () => {
      // The cancellation comes while the worker waits for the provider.
      if (failure === 7) await scene.cancel();
      throw new Error("connection reset");
    };
    await work(createWorker("one"));
  }
  provider.poll = poll;
  provider.state = { kind: "canceled" };
  await work(createWorker("one"));
  expect(await scene.find()).toMatchObject({ status: "canceled" });
});
