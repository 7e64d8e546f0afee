import { expect, test } from "bun:test";
import type { CallPreview } from "@/lib/contract/operations/calls/completions";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;

serveForAll(
  (served) => {
    gateway = served;
  },
  { balance: "1.00" },
);

const call = { model: "sandbox-echo", messages: [{ role: "user", content: "one two three" }], max_tokens: 5 };

async function post(path: string, body: object) {
  return fetchWithKey(`${gateway.baseUrl}${path}`, { key: gateway.key, body });
}

async function preview(body: object = call): Promise<CallPreview> {
  return (await post("/chat/completions/preview", body)).json();
}

test("it says what a call is, holds at most and counts in, as the call then does, and changes nothing", async () => {
  await preview();
  const told = await preview();
  expect(told).toMatchObject({
    object: "chat.completion.preview",
    model: "sandbox-echo",
    prompt_tokens: 3,
    estimated_tokens: 8,
    max_output_tokens: 5,
    // (3 × 1.00 + 5 × 2.00) ÷ 1,000,000 × 0.5
    hold: "0.0000065",
    refusal: null,
  });
  expect(told.limits).toContainEqual({ field: "max_requests_per_1_minute", max: 600, used: 0, requested: 1 });
  const requests = await gateway.admin<{ data: unknown[] }>("GET", "/organization/requests");
  expect(requests.data).toEqual([]);

  const reply = await post("/chat/completions", call);
  const { hold } = await readReceipt(gateway, reply.headers.get("x-request-id"));
  expect(hold?.amount).toBe(told.hold);
  expect((await preview()).limits[0]).toMatchObject({ used: 1 });
});

test("refuses in a preview what the call refuses, in the same words", async () => {
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 1 });
  const { refusal } = await preview();
  const refused = await post("/chat/completions", call);
  const { error } = await refused.json();
  expect(refusal).toMatchObject({ status: refused.status, code: error.code, message: error.message });
  expect(refusal?.limit).toMatchObject({ field: "max_requests_per_1_minute", max: 1, used: 1, requested: 1 });
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 600 });
});

test("a balance that covers less lowers the output; one that covers nothing refuses, and tells a key no figure of it", async () => {
  const dear = { input_per_1m: "1", output_per_1m: "1000000" };
  await gateway.admin("POST", "/organization/models/sandbox-echo", { price: dear, rate: "0.5" });
  const lowered = await preview();
  expect(lowered.refusal).toBeNull();
  expect(lowered.max_output_tokens).toBe(1);
  await gateway.admin("POST", "/organization/models/sandbox-echo", {
    price: { ...dear, output_per_1m: "9000000" },
  });
  const { refusal } = await preview();
  expect(refusal).toMatchObject({ status: 402, code: "insufficient_balance" });
  expect(refusal?.balance?.available).toBeUndefined();
});

test("a request that never comes to admission is refused as the call is", async () => {
  for (const faulty of [{ ...call, model: "none" }, { ...call, max_tokens: 0 }, { model: "sandbox-echo" }]) {
    const [told, refused] = [
      await post("/chat/completions/preview", faulty),
      await post("/chat/completions", faulty),
    ];
    const [one, other] = [await told.json(), await refused.json()];
    expect([told.status, one.error.code, one.error.param]).toEqual([
      refused.status,
      other.error.code,
      other.error.param,
    ]);
  }
});

test("a preview of a media model's call states its hold and limits, and creates no task", async () => {
  const order = { model: "sandbox-image", prompt: "a lighthouse", n: 2, size: "1000x500", quality: "hd" };
  await gateway.setLimits("sandbox-image", { max_images_per_1_minute: 2 });
  const told = await preview(order);
  // 2 images of half a megapixel at 0.08 a megapixel and a rate of 0.5.
  expect(told).toMatchObject({
    model: "sandbox-image",
    hold: "0.04",
    expected_charge: "0.04",
    refusal: null,
  });
  expect(told.limits).toContainEqual({ field: "max_images_per_1_minute", max: 2, used: 0, requested: 2 });
  expect((await gateway.admin<{ data: object[] }>("GET", "/tasks")).data).toEqual([]);

  await gateway.setLimits("sandbox-image", { max_images_per_1_minute: 1 });
  expect((await preview(order)).refusal).toMatchObject({ status: 429, code: "max_images_per_1_minute" });
  const faulty = await post("/chat/completions/preview", { ...order, size: "huge" });
  expect([faulty.status, (await faulty.json()).error.param]).toEqual([400, "size"]);
});
