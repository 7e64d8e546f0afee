import { expect, test } from "bun:test";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

test("the README's balance is used up by a few calls once a token costs 2.00, and a payment lets them through again", async () => {
  const call = () =>
    send(`${gateway.baseUrl}/chat/completions`, {
      key: gateway.key,
      body: { model: "sandbox-echo", messages: [{ role: "user", content: "Hello" }] },
    });
  await gateway.admin("POST", "/organization/models/sandbox-echo", {
    price: { input_per_1m: "4000000", output_per_1m: "4000000" },
  });
  const statuses: number[] = [];
  while (statuses.at(-1) !== 402 && statuses.length < 10) statuses.push((await call()).status);
  expect(statuses.at(-1)).toBe(402);
  expect(statuses.length).toBeLessThan(6);
  expect((await call()).error.message).toMatch(/needs|needed|available/);
  await gateway.admin("POST", "/organization/payments", { amount: "100.00" });
  expect((await call()).status).toBe(200);
});
