import { expect, test } from "bun:test";
import { toNano, ZERO } from "@/lib/money/amount";
import { WORK_CLAIM_MS } from "../claim-times";
import { storeUnavailable } from "../refusal";
import { openTaskScene } from "./testing/task-scene";

const chargedBalance = { posted: toNano(9_000_000n), held: ZERO };
const picture = {
  mimeType: "image/png",
  bytes: Buffer.from("\x89PNG\r\n\x1a\nthe rest of the picture", "latin1"),
};

type Scene = Awaited<ReturnType<typeof openTaskScene>>;

/** Funds that refuse to settle as often as `failing.times` says. */
function refuseSettlements({ funds }: Scene, failing: { times: number }) {
  const settle: typeof funds.settle = (...settlement) =>
    failing.times-- > 0 ? Promise.reject(storeUnavailable()) : funds.settle(...settlement);
  return { settle, release: funds.release.bind(funds) };
}

test("images that were made are delivered and charged, though the store refuses their charge at first", async () => {
  await using scene = await openTaskScene();
  const { work, createWorker, provider, files } = scene;
  provider.files = [picture];
  await work(createWorker("one", undefined, refuseSettlements(scene, { times: 3 })));
  expect(await scene.find()).toMatchObject({ status: "succeeded", charged: { units: 1_000_000 } });
  expect([await scene.balance(), [...files.keys()]]).toMatchObject([chargedBalance, ["task_1/0"]]);
});

test("images that a process left on disk uncharged are delivered by the next one", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider, files } = scene;
  provider.files = [picture];
  const failing = { times: Number.POSITIVE_INFINITY };
  const dying = createWorker("one", undefined, refuseSettlements(scene, failing));
  let closed: Promise<void> | undefined;
  provider.onSubmit = () => {
    closed ??= dying.close();
  };
  await work(dying);
  await closed;
  expect(await scene.find()).toMatchObject({ status: "running" });
  runtime.pass(WORK_CLAIM_MS + 1);
  await work(createWorker("two"));
  expect(await scene.find()).toMatchObject({ status: "succeeded", files: [{ mimeType: "image/png" }] });
  expect([await scene.balance(), provider.made]).toMatchObject([chargedBalance, ["task_1"]]);
  expect([...files.keys()]).toEqual(["task_1/0"]);
});

test("a provider's id is stored as soon as the store works again, and its task goes on", async () => {
  await using scene = await openTaskScene();
  const { runtime, work, createWorker, provider } = scene;
  let failures = 3;
  const worker = createWorker("one", (claims) => ({
    ...claims,
    save: async (id, step) => {
      if (step.remoteId !== undefined && failures-- > 0) throw storeUnavailable();
      return claims.save(id, step);
    },
  }));
  await work(worker);
  runtime.pass(1_000);
  await work(worker);
  expect(await scene.find()).toMatchObject({ status: "succeeded" });
  expect([await scene.balance(), provider.made]).toMatchObject([chargedBalance, ["task_1"]]);
});
