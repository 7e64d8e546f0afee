import { expect, test } from "bun:test";
import { OrderNotSent } from "../providers/media-client";
import { openTaskScene } from "./testing/task-scene";

test("an order that its provider didn't take goes to the provider that the model leads to by then", async () => {
  await using scene = await openTaskScene();
  const { effects, work, createWorker, provider } = scene;
  provider.onSubmit = () => {
    throw new OrderNotSent();
  };
  const worker = createWorker("one");
  await work(worker);
  expect(await scene.find()).toMatchObject({ status: "queued" });
  const replacement = scene.replaceProvider();
  effects.pass(1_000);
  await work(worker);
  effects.pass(1_000);
  await work(worker);
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect([provider.made, replacement.made]).toEqual([["task_1"], ["task_1"]]);
});

test("an order that a closing process held back goes to the provider that the model leads to by then", async () => {
  await using scene = await openTaskScene();
  const { effects, work, createWorker, provider } = scene;
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
  effects.pass(1_000);
  await work(next);
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect([provider.made, replacement.made]).toEqual([[], ["task_1"]]);
});

test("an order waits as long as its provider has asked for", async () => {
  await using scene = await openTaskScene();
  const { effects, work, createWorker, provider } = scene;
  provider.onSubmit = () => {
    throw new OrderNotSent("At its limit", 90_000);
  };
  const worker = createWorker("one");
  await work(worker);
  provider.onSubmit = () => {};
  effects.pass(89_000);
  await work(worker);
  expect(provider.made).toEqual(["task_1"]);
  effects.pass(1_000);
  await work(worker);
  expect(provider.made).toEqual(["task_1", "task_1"]);
});
