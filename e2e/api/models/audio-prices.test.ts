import { describe, expect, test } from "bun:test";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;

serveForAll((served) => {
  gateway = served;
});

describe("the prices of audio", () => {
  const change = (body: object, id = "sandbox-echo") =>
    send(`${gateway.baseUrl}/organization/models/${id}`, { method: "POST", key: gateway.adminKey, body });

  test("are changed and removed by themselves, and stay where others change", async () => {
    const prices = { input_per_1m: "32.00", output_per_1m: "64.00" };
    expect((await change({ audio_price: prices })).body).toMatchObject({ audio_price: prices });
    expect((await change({ rate: "0.25" })).body).toMatchObject({ audio_price: prices, rate: "0.25" });
    const price = { input_per_1m: "1.00", output_per_1m: "2.00" };
    expect((await change({ price })).body).toMatchObject({ audio_price: prices, price });
    await gateway.restart();
    expect(await gateway.admin("GET", "/organization/models/sandbox-echo")).toMatchObject({
      audio_price: prices,
    });
    expect((await change({ audio_price: null })).body).toMatchObject({ audio_price: null, price });
  });

  test("are given to a new model of the console, and kept", async () => {
    const audio_price = { input_per_1m: "32.00", output_per_1m: "64.00" };
    await gateway.admin<OrganizationModel>("POST", "/organization/models", {
      id: "new-talker",
      family: "chat",
      rate: "1",
      price: { input_per_1m: "1.00", output_per_1m: "2.00" },
      audio_price,
      routes: [{ provider: "sandbox", model: "sandbox-echo" }],
    });
    await gateway.restart();
    expect(await gateway.admin("GET", "/organization/models/new-talker")).toMatchObject({ audio_price });
  });

  test("are refused where no tokens can be audio, or a price is missing or wrong", async () => {
    const prices = { input_per_1m: "32.00", output_per_1m: "64.00" };
    for (const id of ["sandbox-embedding", "sandbox-image", "sandbox-speech"])
      expect(await change({ audio_price: prices }, id)).toMatchObject({
        status: 400,
        error: { param: "audio_price" },
      });
    expect(await change({ audio_price: { input_per_1m: "1" } })).toMatchObject({
      status: 400,
      error: { param: "audio_price.output_per_1m" },
    });
    expect((await change({ audio_price: { ...prices, input_per_1m: "-1" } })).status).toBe(400);
  });
});
