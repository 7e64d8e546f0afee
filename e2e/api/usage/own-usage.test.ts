import { expect, test } from "bun:test";
import { DAY_S } from "@/lib/contract/durations";
import { joinMember } from "../../support/clients/join-member";
import { officialClient } from "../../support/clients/official-client";
import { type Answer, send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

/** A day before the gateway's clock begins. */
const START = 1_800_000_000 - DAY_S;
let gateway: ServedGateway;

serveForAll((served) => {
  gateway = served;
});

const ask = async (content: string, key: string) => {
  const headers = { "openai-project": gateway.projectId };
  const messages = [{ role: "user" as const, content }];
  const client = officialClient(gateway.baseUrl, key);
  return (await client.chat.completions.create({ model: "sandbox-echo", messages }, { headers })).usage;
};

const readUsage = (path: string, key: string, query = "") =>
  send(`${gateway.baseUrl}/organization${path}?start_time=${START}${query}`, { key });

const readResults = ({ body }: Answer) =>
  (body.data as { results: object[] }[]).flatMap(({ results }) => results);

test("every caller sees only their own usage", async () => {
  const tester = await joinMember(gateway, "tester@example.com", { role: "prompt_tester" });
  await ask("from a program", gateway.key);
  const said = await ask("mine alone", tester.token);
  const mine = { num_model_requests: 1, output_tokens: said?.completion_tokens, user_id: null };
  expect(readResults(await readUsage("/me/usage", tester.token))).toMatchObject([mine]);
  expect(readResults(await readUsage("/me/usage", gateway.key))).toMatchObject([{ num_model_requests: 1 }]);
  expect(readResults(await readUsage("/me/usage", gateway.adminKey))).toEqual([]);
  const others = await readUsage("/me/usage", tester.token, "&user_ids=user_other");
  expect(others.error.param).toBe("user_ids");
  const all = await readUsage("/usage/completions", tester.token);
  expect(all.error.permission).toBe("api.usage.read");
});
