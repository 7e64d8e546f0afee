import { expect, test } from "bun:test";
import { callModel } from "../../support/clients/send";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;

serveForEach((served) => {
  gateway = served;
});

test("a charge is in the ledger with its call, and can be found by it", async () => {
  const requestId = await callModel(gateway, gateway.key, "sandbox-echo", { content: "three words here" });
  const list = async (query: string) =>
    (await gateway.admin<{ data: object[] }>("GET", `/organization/ledger?${query}`)).data;
  // (3 × 1.00 + 3 × 2.00) ÷ 1,000,000 × 0.5
  expect(await list(`kind=charge&request_id=${requestId}`)).toMatchObject([
    {
      kind: "charge",
      amount: "0.0000045",
      balance_change: "-0.0000045",
      from_account: "balance",
      basis: "reported",
      request_id: requestId,
      project_id: gateway.projectId,
      model: "sandbox-echo",
      prompt_tokens: 3,
      completion_tokens: 3,
      price: { input_per_1m: "1.00", output_per_1m: "2.00", rate: "0.50" },
    },
  ]);
  expect(await list("model=sandbox-chat")).toEqual([]);
});
