import { expect, test } from "bun:test";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { parsePlaygroundParameters, readReceiptParameters } from "./playground-parameters";

const receipt = (fields: object) =>
  ({ request: { model: "gpt-5" }, settings: null, client: null, ...fields }) as RequestReceipt;

test("the playground begins as a call was sent, as far as that was recorded", () => {
  const parameters = readReceiptParameters(
    receipt({ settings: { temperature: 0, max_tokens: 400 }, client: { endpoint: "messages" } }),
  );
  expect(parameters).toEqual({ model: "gpt-5", endpoint: "messages", temperature: "0", max_tokens: "400" });
  expect(parsePlaygroundParameters(parameters ?? {})).toEqual({
    model: "gpt-5",
    settings: { endpoint: "messages", temperature: "0", max_tokens: "400" },
  });
  const asked = readReceiptParameters(receipt({ client: { endpoint: "responses" } }));
  expect(parsePlaygroundParameters(asked ?? {}).settings).toEqual({ endpoint: "responses" });
  expect(readReceiptParameters(receipt({}))).toEqual({ model: "gpt-5" });
  expect(readReceiptParameters(receipt({ settings: { temperature: null, max_tokens: null } }))).toEqual({
    model: "gpt-5",
  });
  expect(readReceiptParameters(receipt({ request: { model: "unknown" } }))).toBeNull();
  expect(readReceiptParameters(receipt({ client: { endpoint: "embeddings" } }))).toBeNull();
});

test("ignores invalid settings in a hand-edited address", () => {
  const given = { model: ["a", "b"], endpoint: "x", temperature: "hot", max_tokens: "-1" };
  expect(parsePlaygroundParameters(given)).toEqual({ model: undefined, settings: {} });
});
