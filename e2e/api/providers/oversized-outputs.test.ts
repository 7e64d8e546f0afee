import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type ScriptedProvider, startScriptedProvider } from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

const MIB = 1024 * 1024;

/** Has no blocks on the disk. */
const hugeFile = join(mkdtempSync(join(tmpdir(), "huge-")), "film");

let provider: ScriptedProvider;
let gateway: ServedGateway;
let tasks: TaskClient;

beforeAll(async () => {
  closeSync(openSync(hugeFile, "w"));
  truncateSync(hugeFile, 1024 * MIB + 1);
  provider = startScriptedProvider();
  const { origin } = new URL(provider.baseUrl);
  const unit_price = { unit: "image", amount: "0.04" };
  const inline = { prompt: "{prompt}" };
  const painter = (id: string) => ({ id, family: "image", rate: "1", unit_price });
  const config = {
    providers: [
      { id: "scripted", kind: "openai", base_url: provider.baseUrl },
      {
        id: "mapped",
        kind: "http",
        base_url: origin,
        task_api: { makes: ["image"], submit: { path: "/now", body: inline }, outputs: { base64: "/image" } },
      },
      {
        id: "polled",
        kind: "http",
        base_url: origin,
        task_api: {
          makes: ["image"],
          submit: { path: "/jobs", body: inline, id: "/id" },
          poll: {
            path: "/jobs/{id}",
            status: "/status",
            statuses: { succeeded: ["done"], failed: ["failed"] },
          },
          outputs: { base64: "/image" },
        },
      },
    ],
    models: [
      { ...painter("painter"), routes: [{ provider: "scripted", model: "dall-e-3" }] },
      { ...painter("mapped"), routes: [{ provider: "mapped", model: "x" }] },
      { ...painter("polled"), routes: [{ provider: "polled", model: "x" }] },
      {
        id: "filmer",
        family: "video",
        rate: "1",
        unit_price: { unit: "second", amount: "0.1" },
        routes: [{ provider: "scripted", model: "sora-2" }],
      },
    ],
  };
  gateway = await serveGateway({ isExpectedFault: isProviderFault, config: JSON.stringify(config) });
  tasks = createTaskClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
  rmSync(dirname(hugeFile), { recursive: true });
});
beforeEach(() => {
  provider.visits.length = 0;
});

/** A reply that never ends, with a block of this text again and again. */
const endless = (text: string, type = "application/json") => {
  const block = Buffer.from(text.repeat(MIB / text.length));
  return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(block) }), {
    headers: { "content-type": type },
  });
};
/** A small reply that unpacks to 100 MiB. */
const bomb = () =>
  new Response(Bun.gzipSync(Buffer.alloc(100 * MIB, "A")), {
    headers: { "content-encoding": "gzip", "content-type": "application/json" },
  });

const endsForFree = async (model: string, error: { code: string; message: string }) => {
  const before = await tasks.balance();
  const { id } = await tasks.create({ model, prompt: "x" });
  expect(await tasks.follow(id)).toMatchObject({ status: "failed", usage: null, output: [], error });
  expect(await tasks.balance()).toEqual(before);
  expect(await findDoctorFaults(gateway)).toEqual([]);
};

describe("a provider's images that can't be used fail their task free of charge", () => {
  const tooLong = "The provider sent a reply of more than 64 MiB.";
  test.each<[string, () => Response, string]>([
    ["never end", () => endless("A"), tooLong],
    ["announce too much", () => new Response(Buffer.alloc(65 * MIB, "A")), tooLong],
    ["unpack to too much", bomb, tooLong],
    ["are a page", () => new Response("<html>busy</html>"), "The provider sent a reply that is not JSON."],
  ])("because they %s", async (_, reply, message) => {
    provider.answerWith(() => reply());
    await endsForFree("painter", { code: "provider_reply", message });
    await endsForFree("mapped", { code: "provider_output", message });
    expect(provider.visits).toHaveLength(2);
  });

  test("because they never end in the reply to a poll", async () => {
    provider.answerWith(({ path }) => (path === "/jobs" ? Response.json({ id: 1 }) : endless("A")));
    await endsForFree("polled", { code: "provider_output", message: tooLong });
  });
});

describe("a provider's video that can't be used fails its task free of charge", () => {
  test.each<[string, () => Response, string]>([
    [
      "is announced with more than 1 GiB",
      () => new Response(Bun.file(hugeFile), { headers: { "content-type": "video/mp4" } }),
      "The provider sent a file of more than 1024 MiB.",
    ],
    [
      "is empty",
      () => new Response("", { headers: { "content-type": "video/mp4" } }),
      "The provider sent an empty file.",
    ],
  ])("because it %s", async (_, content, message) => {
    provider.answerWith(({ path }) => {
      if (path.endsWith("/content")) return content();
      return Response.json({ id: "video_1", status: path === "/v1/videos" ? "queued" : "completed" });
    });
    await endsForFree("filmer", { code: "provider_output", message });
  });
});
