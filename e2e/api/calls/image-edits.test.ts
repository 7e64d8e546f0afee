import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type OpenAI from "openai";
import { MINUTE_MS } from "@/lib/contract/durations";
import { decodePng } from "@/lib/gateway/providers/sandbox-media/png";
import {
  buildFormData,
  type FormFields,
  mask,
  ordersWithPictures,
  picture,
  sendEdit,
  soonEdited,
} from "../../support/clients/image-edit-form";
import { paintPng } from "../../support/clients/paint-png";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedModels } from "../../support/gateways/serve-scripted-models";
import type { ScriptedProvider } from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let openai: OpenAI;
let tasks: TaskClient;

beforeAll(async () => {
  ({
    provider,
    gateway,
    client: openai,
  } = await serveScriptedModels(`
  - { id: painter, family: image, rate: "0.5", unit_price: { unit: image, amount: "0.04", qualities: { high: "0.16" } }, routes: [{ provider: scripted, model: gpt-image-1 }] }
`));
  tasks = createTaskClient(gateway);
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});
beforeEach(() => {
  provider.visits.length = 0;
});

const model = "sandbox-image";
const soon = { "sandbox[takes_ms]": "0" };
const edit = (fields: object) =>
  tasks.whileTimePasses(
    openai.images
      .edit({ model, prompt: "a lighthouse", size: "16x16", ...soon, ...fields } as never)
      .withResponse(),
  );
const readBitmaps = ({ data }: { data: unknown }) =>
  ((data as OpenAI.Images.ImagesResponse).data ?? []).map(({ b64_json = "" }) =>
    decodePng(Buffer.from(b64_json, "base64")),
  );
const inputsOnDisk = () => ordersWithPictures(gateway);
const send = (fields: FormFields, headers = {}) => sendEdit(gateway, tasks, fields, headers);

describe("edits through the official SDK", () => {
  test("change the picture alike each time, and are charged once by the size of what is made", async () => {
    const before = await tasks.balance();
    const made = await edit({ image: await picture(), n: 2 });
    const [first, second] = readBitmaps(made);
    const [again] = readBitmaps(await edit({ image: await picture() }));
    expect([first?.width, first?.height]).toEqual([16, 16]);
    expect(again?.pixels).toEqual(first?.pixels as Uint8Array);
    expect(second?.pixels).not.toEqual(first?.pixels as Uint8Array);
    const id = made.response.headers.get("x-gatehouse-task-id") ?? "";
    const task = await tasks.follow(id);
    // 2 images of 256 pixels at 0.04 a megapixel and a rate of 0.5.
    expect(task.usage?.amount).toBe("0.00001024");
    const receipt = await readReceipt(gateway, task.request_id);
    expect(receipt).toMatchObject({ request: { unit: "megapixel" } });
    const after = await tasks.balance();
    expect([Number(before.posted) - Number(after.posted), after.held]).toEqual([
      expect.closeTo(0.00001536, 9),
      "0.00",
    ]);
    expect(made.response.headers.has("x-ratelimit-remaining-requests")).toBe(true);
    expect(await inputsOnDisk()).toBe(0);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("with a mask keep what it covers, and several pictures are one", async () => {
    const [masked] = readBitmaps(await edit({ image: await picture(), mask: await mask() }));
    const at = (column: number) => [...(masked?.pixels.subarray(column * 4, column * 4 + 4) ?? [])];
    expect([at(0), at(7)]).toEqual([
      [200, 0, 0, 255],
      [200, 0, 0, 255],
    ]);
    expect(at(8)).not.toEqual([200, 0, 0, 255]);
    const images = [await picture(), await picture("blue.png", [0, 0, 200])];
    const [mixed] = readBitmaps(await edit({ image: images, mask: await mask() }));
    expect([...(mixed?.pixels.subarray(0, 4) ?? [])]).toEqual([100, 0, 100, 255]);
  });

  test("come as addresses, and once for an idempotency key whatever the boundary of the form", async () => {
    const asked = [...soonEdited, ["response_format", "url"], ["image", await picture()]] as const;
    const headers = { "idempotency-key": "edit" };
    const first = await send(asked, headers);
    const before = await tasks.balance();
    const again = await send(asked, headers);
    expect([again.status, again.body, await tasks.balance()]).toEqual([200, first.body, before]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await send([...soonEdited, ["image", await mask()]], headers);
    expect([other.status, other.body.error?.code]).toEqual([409, "idempotency_conflict"]);
    await until("the pictures are deleted", async () => (await inputsOnDisk()) === 0);
  });

  test("survive a restart of the gateway with their pictures", async () => {
    const form = [
      ...soonEdited.slice(0, 3),
      ["sandbox[takes_ms]", "60000"],
      ["image", await picture()],
    ] as const;
    const left = new AbortController();
    const asked = fetchWithKey(`${gateway.baseUrl}/images/edits`, {
      key: gateway.key,
      body: buildFormData(form),
      signal: left.signal,
    });
    let id = "";
    await until("the edit runs", async () => {
      const reply = await tasks.ask("/tasks?limit=1&status=running");
      id = ((await reply.json()) as { data: { id: string }[] }).data[0]?.id ?? "";
      return id !== "";
    });
    left.abort();
    await asked.catch(() => null);
    await gateway.restart();
    expect(await inputsOnDisk()).toBe(1);
    gateway.pass(MINUTE_MS);
    expect(await tasks.follow(id)).toMatchObject({ status: "succeeded" });
    expect(await inputsOnDisk()).toBe(0);
  });
});

describe("edits of an OpenAI-compatible provider", () => {
  test("are sent as a form with the fields, pictures and mask of the caller", async () => {
    const png = paintPng({ width: 1, height: 1 }, [9, 9, 9]);
    provider.answerWith(() => Response.json({ created: 1, data: [{ b64_json: png.toString("base64") }] }));
    const image = [await picture("one.png"), await picture("two.png")];
    const fields = { quality: "high", background: "transparent", size: "1024x1024" } as const;
    const asked = { model: "painter", prompt: "a ship", image, mask: await mask(), ...fields } as const;
    const before = await tasks.balance();
    const made = (await tasks.whileTimePasses(openai.images.edit(asked))) as OpenAI.Images.ImagesResponse;
    expect(Buffer.from(made.data?.[0]?.b64_json ?? "", "base64").equals(png)).toBe(true);
    const [visit] = provider.visits;
    expect([visit?.path, visit?.headers.get("authorization")]).toEqual([
      "/v1/images/edits",
      "Bearer sk-upstream",
    ]);
    const type = visit?.headers.get("content-type") ?? "";
    const sent = await new Response(visit?.bytes, { headers: { "content-type": type } }).formData();
    expect(Object.fromEntries([...sent].filter(([, value]) => typeof value === "string"))).toEqual({
      model: "gpt-image-1",
      prompt: "a ship",
      n: "1",
      quality: "high",
      size: "1024x1024",
      background: "transparent",
    });
    const files = [...sent].flatMap(([name, value]) => (value instanceof File ? [[name, value.name]] : []));
    expect(files.toSorted()).toEqual([
      ["image[]", "one.png"],
      ["image[]", "two.png"],
      ["mask", "mask.png"],
    ]);
    expect((sent.get("image[]") as File).size).toBe((await picture()).size);
    const after = await tasks.balance();
    expect(Number(before.posted) - Number(after.posted)).toBeCloseTo(0.08, 9);
  });

  test("that it refuses cost nothing, and leave nothing on disk", async () => {
    provider.answerWith(() => Response.json({ error: { message: "No" } }, { status: 400 }));
    const before = await tasks.balance();
    const reply = await send(
      [...soonEdited, ["model", "painter"], ["image", await picture()]].slice(1) as never,
    );
    expect([reply.status, reply.body.error?.code]).toEqual([502, "provider_error"]);
    expect([await tasks.balance(), await inputsOnDisk()]).toEqual([before, 0]);
  });
});
