import { expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { toNano, ZERO } from "@/lib/money/amount";
import { WORK_CLAIM_MS } from "../claim-times";
import { OutputMissing } from "../providers/media-client";
import { openTaskScene } from "./testing/task-scene";

const releasedBalance = { posted: toNano(10_000_000n), held: ZERO };
const chargedBalance = { posted: toNano(9_000_000n), held: ZERO };
const png = Buffer.from("\x89PNG\r\n\x1a\nthe rest of the picture", "latin1");

test("a file that takes longer than a claim is fetched once, and no other process fetches it meanwhile", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider, files } = scene;
  const [worker, other] = [createWorker("one"), createWorker("two")];
  await work(worker);
  runtime.pass(1_000);
  let opened = 0;
  async function* slowly() {
    for (const byte of png) {
      runtime.pass(WORK_CLAIM_MS - 1_000);
      await other.workOnDue();
      yield Uint8Array.of(byte);
    }
  }
  provider.open = async () => {
    opened++;
    return { mimeType: "image/png", bytes: slowly() };
  };
  await work(worker);
  await other.waitUntilIdle();
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect([await scene.balance(), opened]).toMatchObject([chargedBalance, 1]);
  expect(files.get("task_1/0")).toEqual(new Uint8Array(png));
});

test("a file that stands still is asked for again and again, and its task fails for free before its deadline", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  const worker = createWorker("one");
  await work(worker);
  provider.open = () => Promise.reject(new Error("The step took too long"));
  for (let hour = 0; hour < 25; hour++) {
    runtime.pass(DAY_MS / 24);
    await work(worker);
  }
  expect(await scene.find()).toMatchObject({
    status: "failed",
    charged: null,
    error: { code: "provider_output" },
  });
  expect(await scene.balance()).toMatchObject(releasedBalance);
});

test("a file that its provider doesn't have any more ends its task for free within minutes", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  const worker = createWorker("one");
  await work(worker);
  provider.open = () => Promise.reject(new OutputMissing("The provider answered 404"));
  for (let minute = 0; minute < 15; minute++) {
    runtime.pass(MINUTE_MS);
    await work(worker);
  }
  expect(await scene.find()).toMatchObject({
    status: "failed",
    charged: null,
    error: { code: "provider_output" },
  });
  expect(await scene.balance()).toMatchObject(releasedBalance);
});

test("a file that was stored before another one broke off isn't fetched again", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  const worker = createWorker("one");
  await work(worker);
  provider.state = { kind: "succeeded", files: [{ position: 0 }, { position: 1 }] };
  const fetched: number[] = [];
  provider.open = async (_, { position }) => {
    fetched.push(position);
    if (fetched.length === 2) throw new Error("connection reset");
    return { mimeType: "image/png", bytes: new Blob([png]).stream() };
  };
  for (let look = 0; look < 2; look++) {
    runtime.pass(MINUTE_MS);
    await work(worker);
  }
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect(fetched).toEqual([0, 1, 1]);
});
