import { describe, expect, test } from "bun:test";
import {
  type FormFields,
  mask,
  ordersWithPictures,
  picture,
  sendEdit,
  soonEdited,
} from "../../support/clients/image-edit-form";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let tasks: TaskClient;

serveForAll(
  (served) => {
    gateway = served;
    tasks = createTaskClient(gateway);
  },
  { isExamined: true },
);

const model = "sandbox-image";
const inputsOnDisk = () => ordersWithPictures(gateway);
const send = (fields: FormFields) => sendEdit(gateway, tasks, fields);

describe("an edit is refused", () => {
  const text = new File(["no picture"], "notes.png", { type: "image/png" });
  test.each<[string, (image: File, hole: File) => FormFields, string, string]>([
    ["without a picture", () => [...soonEdited], "image", "missing_field"],
    ["with a mask alone", (_, hole) => [...soonEdited, ["mask", hole]], "image", "missing_field"],
    [
      "without a prompt",
      (image) => [
        ["model", model],
        ["image", image],
      ],
      "prompt",
      "missing_field",
    ],
    ["with a file that is no picture", () => [...soonEdited, ["image", text]], "image", "invalid_value"],
    [
      "with a mask that is no PNG",
      (image) => [...soonEdited, ["image", image], ["mask", text]],
      "mask",
      "invalid_value",
    ],
    [
      "with two masks",
      (image, hole) => [...soonEdited, ["image", image], ["mask", hole], ["mask", hole]],
      "mask",
      "invalid_value",
    ],
    [
      "with 17 pictures",
      (image) => [...soonEdited, ...Array.from({ length: 17 }, () => ["image[]", image] as const)],
      "image",
      "invalid_value",
    ],
    [
      "with 40 pictures",
      (image) => [...soonEdited, ...Array.from({ length: 40 }, () => ["image[]", image] as const)],
      "image",
      "invalid_value",
    ],
    ["for 11 images", (image) => [...soonEdited, ["n", "11"], ["image", image]], "n", "invalid_value"],
    [
      "for no number of images",
      (image) => [...soonEdited, ["n", "two"], ["image", image]],
      "n",
      "invalid_value",
    ],
    [
      "as a stream",
      (image) => [...soonEdited, ["stream", "true"], ["image", image]],
      "stream",
      "invalid_value",
    ],
    [
      "at a fidelity without a price",
      (image) => [...soonEdited, ["input_fidelity", "high"], ["image", image]],
      "input_fidelity",
      "unpriced_field",
    ],
    [
      "by a model of another family",
      (image) => [
        ["model", "sandbox-echo"],
        ["prompt", "x"],
        ["image", image],
      ],
      "model",
      "invalid_value",
    ],
  ])("%s, and leaves nothing on disk", async (_, form, param, code) => {
    gateway.pass(61_000);
    const before = await tasks.balance();
    const { status, body } = await send(form(await picture(), await mask()));
    expect([status, body.error?.param, body.error?.code]).toEqual([400, param, code]);
    await until("the pictures are deleted", async () => (await inputsOnDisk()) === 0);
    expect(await tasks.balance()).toEqual(before);
  });

  test("where it is JSON", async () => {
    const reply = await tasks.ask("/images/edits", { model, prompt: "x" });
    expect([reply.status, ((await reply.json()) as { error: { param: string } }).error.param]).toEqual([
      400,
      "body",
    ]);
  });

  test("by the sandbox where it can't read the picture, and costs nothing", async () => {
    const broken = new File([(await picture()).slice(0, 30)], "cut.png", { type: "image/png" });
    const before = await tasks.balance();
    const { status, body } = await send([...soonEdited, ["image", broken]]);
    expect([status, body.error?.code]).toEqual([502, "provider_error"]);
    expect(await tasks.balance()).toEqual(before);
  });

  test("beyond the images of a minute, and takes none of them", async () => {
    await gateway.setLimits(model, { max_images_per_1_minute: 3 });
    gateway.pass(61_000);
    const ask = async (n: string) => send([...soonEdited, ["n", n], ["image", await picture()]]);
    expect((await ask("2")).status).toBe(200);
    expect(await ask("2")).toMatchObject({
      status: 429,
      body: { error: { code: "max_images_per_1_minute", limit: { max: 3, used: 2, requested: 2 } } },
    });
    expect((await ask("1")).status).toBe(200);
    await gateway.setLimits(model, { max_images_per_1_minute: null });
  });
});
