import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { toNano, ZERO } from "@/lib/money/amount";
import { OrderNotSent } from "../providers/media-client";
import { readStoredOrder } from "./orders";
import { DEADLINE_MARGIN_MS } from "./task-work";
import { openTaskScene } from "./testing/task-scene";

test("an order that an earlier version stored keeps the fields that its caller added", async () => {
  const row = { family: "image", prompt: "a fox", count: 1, further: { seed: 7 } };
  const inputFiles = { open: async () => null };
  const order = await readStoredOrder({ inputFiles }, { input: JSON.stringify(row), requestId: "req_1" });
  expect(order).toMatchObject({ prompt: "a fox", extraFields: { seed: 7 } });
});

const releasedBalance = { posted: toNano(10_000_000n), held: ZERO };
const chargedBalance = { posted: toNano(9_000_000n), held: ZERO };

/** An order at a provider that deletes what it is asked to cancel. */
async function openDeletingScene(state: "running" | "succeeded") {
  const scene = await openTaskScene();
  const { provider, work, createWorker } = scene;
  const worker = createWorker("one");
  await work(worker);
  provider.state =
    state === "running" ? { kind: "running", progress: 40 } : { kind: "succeeded", files: [{ position: 0 }] };
  provider.onCancel = () => {
    provider.state = { kind: "gone" };
  };
  return Object.assign(scene, {
    async look(ms: number) {
      scene.runtime.pass(ms);
      await work(worker);
    },
  });
}

test("a canceled order that its provider deletes is canceled, and costs nothing", async () => {
  await using scene = await openDeletingScene("running");
  await scene.cancel();
  await scene.look(1_000);
  expect(await scene.find()).toMatchObject({ status: "canceled", error: null });
  expect(await scene.balance()).toMatchObject(releasedBalance);
});

test("an order that was made before its cancellation is delivered", async () => {
  await using scene = await openDeletingScene("succeeded");
  await scene.cancel();
  await scene.look(1_000);
  expect([await scene.find(), await scene.balance()]).toMatchObject([
    { status: "succeeded" },
    chargedBalance,
  ]);
});

test("an order that was made is delivered even at its deadline", async () => {
  await using scene = await openDeletingScene("succeeded");
  await scene.look(DAY_MS - DEADLINE_MARGIN_MS + 1_000);
  expect([await scene.find(), await scene.balance()]).toMatchObject([
    { status: "succeeded" },
    chargedBalance,
  ]);
});

test("an order that still runs at its deadline fails as overdue, though its provider deletes it", async () => {
  await using scene = await openDeletingScene("running");
  await scene.look(DAY_MS - DEADLINE_MARGIN_MS + 1_000);
  expect(await scene.find()).toMatchObject({ status: "failed", error: { code: "task_timed_out" } });
});

test("an order that failed has its code and its message, and nothing else", async () => {
  await using scene = await openDeletingScene("running");
  scene.provider.state = { kind: "failed", code: "policy", message: "No." };
  await scene.look(1_000);
  expect((await scene.find())?.error).toEqual({ code: "policy", message: "No." });
});

test("an order that its provider has lost fails", async () => {
  await using scene = await openDeletingScene("running");
  scene.provider.state = { kind: "gone" };
  await scene.look(1_000);
  expect(await scene.find()).toMatchObject({ status: "failed", error: { code: "provider_lost_it" } });
});

test("an order that its provider didn't take goes to the provider that the model leads to by then", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  provider.onSubmit = () => {
    throw new OrderNotSent();
  };
  const worker = createWorker("one");
  await work(worker);
  expect(await scene.find()).toMatchObject({ status: "queued" });
  const replacement = scene.replaceProvider();
  runtime.pass(1_000);
  await work(worker);
  runtime.pass(1_000);
  await work(worker);
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect([provider.made, replacement.made]).toEqual([["task_1"], ["task_1"]]);
});

test("an order that a closing process held back goes to the provider that the model leads to by then", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  const closing = createWorker("one", (claims) => ({
    ...claims,
    async save(id, step) {
      const isSaved = await claims.save(id, step);
      if (step.dispatchedAtMs) void closing.close();
      return isSaved;
    },
  }));
  await work(closing);
  expect(await scene.find()).toMatchObject({ status: "queued" });
  const replacement = scene.replaceProvider();
  const next = createWorker("two");
  await work(next);
  runtime.pass(1_000);
  await work(next);
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect([provider.made, replacement.made]).toEqual([[], ["task_1"]]);
});

test("an order waits as long as its provider has asked for", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  provider.onSubmit = () => {
    throw new OrderNotSent("At its limit", 90_000);
  };
  const worker = createWorker("one");
  await work(worker);
  provider.onSubmit = () => {};
  runtime.pass(89_000);
  await work(worker);
  expect(provider.made).toEqual(["task_1"]);
  runtime.pass(1_000);
  await work(worker);
  expect(provider.made).toEqual(["task_1", "task_1"]);
});
