import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { readReceipt } from "../../support/clients/read-requests";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { createResponse } from "../../support/protocols/ask-response";
import { type OpenaiServer, startOpenaiServer } from "../../support/servers/openai-server";
import { type ResponsesServer, startResponsesServer } from "../../support/servers/responses-server";

type Fields = Record<string, unknown>;

const KEYS = { first: "sk-upstream", second: "sk-other-account" } as const;

let native: ResponsesServer;
let other: ResponsesServer;
let chat: OpenaiServer;
let gateway: ServedGateway;

beforeAll(async () => {
  [native, other, chat] = [startResponsesServer(), startResponsesServer(), startOpenaiServer()];
  gateway = await serveGateway({ config: writeConfiguration(), isExpectedFault: isProviderFault });
});
beforeEach(async () => {
  for (const { visits } of [native, other, chat]) visits.length = 0;
  for (const server of [native, other])
    server.answerWith(({ headers }) => {
      const key = headers.get("authorization")?.replace("Bearer ", "") ?? "";
      return { output: [sealed(`${server.baseUrl} ${key}`), told] };
    });
  await gateway.admin("POST", `/organization/projects/${gateway.projectId}/body_settings`, {
    mode: "whole",
    retention_days: 30,
    redactions: [],
  });
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([native, other, chat].map((server) => server.stop()));
});

const sealed = (content: string) => ({
  id: "rs_theirs",
  type: "reasoning",
  summary: [],
  encrypted_content: content,
});
const told = {
  id: "msg_theirs",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "Hello", annotations: [], logprobs: [] }],
};

function writeConfiguration(): string {
  const openai = { kind: "openai", preset: "openai", circuit: false };
  const model = { family: "chat", rate: "1", max_output_tokens: 16_000 };
  const price = { input_per_1m: "5", output_per_1m: "25" };
  const route = (provider: string) => ({ provider, model: "gpt", group: 1 });
  return JSON.stringify({
    providers: [
      { ...openai, id: "first", base_url: native.baseUrl, api_key: KEYS.first },
      { ...openai, id: "second", base_url: native.baseUrl, api_key: KEYS.second },
      { ...openai, id: "other", base_url: other.baseUrl, api_key: KEYS.first },
      { ...openai, id: "chat", base_url: chat.baseUrl, api_key: KEYS.first, protocols: ["chat"] },
    ],
    models: [
      { ...model, id: "spread", price, routes: [route("first"), route("second"), route("other")] },
      { ...model, id: "by-chat", price, routes: [route("chat")] },
      {
        ...model,
        id: "fallback",
        price,
        routes: [
          { provider: "first", model: "gpt" },
          { provider: "other", model: "gpt" },
        ],
      },
    ],
  });
}

const ask = (body: Fields, isStream: boolean) =>
  createResponse(gateway, { model: "spread", include: ["reasoning.encrypted_content"], ...body }, isStream);
/** All requests, with the account that got each. */
const listVisits = () =>
  [native, other].flatMap(({ baseUrl, visits }) =>
    visits.map(({ headers, body }) => ({
      account: `${baseUrl} ${headers.get("authorization")?.replace("Bearer ", "")}`,
      sealed: (Array.isArray(body.input) ? (body.input as Fields[]) : []).flatMap(
        ({ encrypted_content: one }) => one ?? [],
      ),
    })),
  );
const question = { role: "user", content: "Sure?" };

test.each([false, true])(
  "what an account encrypted goes to that account alone, and its conversation stays there (streamed: %s)",
  async (isStream) => {
    const accounts = new Set<string>();
    for (let conversation = 0; conversation < 8; conversation++) {
      for (const { visits } of [native, other]) visits.length = 0;
      const { response } = await ask({ input: `Hi ${conversation}` }, isStream);
      const [maker] = listVisits();
      accounts.add(maker?.account ?? "");
      // Neither the server nor its key can be read from what the client carries.
      const carried = JSON.stringify(response.output);
      expect(carried).not.toContain(`"${maker?.account}"`);
      const input = [{ role: "user", content: `Hi ${conversation}` }, ...response.output, question];
      const next = await ask({ input }, isStream);
      await ask({ input: [question], previous_response_id: next.response.id }, isStream);
      const visits = listVisits();
      expect(visits.map(({ account }) => account)).toEqual(visits.map(() => maker?.account ?? ""));
      expect(visits.map((visit) => visit.sealed.length)).toEqual([0, 1, 2]);
      expect(new Set(visits.flatMap((visit) => visit.sealed))).toEqual(new Set([maker?.account ?? ""]));
    }
    // The conversations didn't all begin at one.
    expect(accounts.size).toBeGreaterThan(1);
  },
);

test.each([false, true])(
  "where a conversation has to move, what another account encrypted stays out, and the receipt says so (streamed: %s)",
  async (isStream) => {
    const { response } = await ask({ model: "fallback", input: "Hi" }, isStream);
    const input = [{ role: "user", content: "Hi" }, ...response.output, question];
    native.answerWith(() => Response.json({ error: { message: "Down" } }, { status: 503 }));
    other.answerWith(() => ({ output: [sealed("theirs"), told] }));
    const { headers, response: moved } = await ask({ model: "fallback", input }, isStream);
    expect(other.visits.at(-1)?.text).not.toContain('"encrypted_content":');
    expect(other.visits.at(-1)?.text).toContain("Sure?");
    const receipt = await readReceipt(gateway, headers.get("x-request-id"));
    expect(receipt.settings?.left_out).toContain("input.reasoning");
    // From now on it stays where it has moved, though the first route is back.
    native.answerWith(() => ({ output: [told] }));
    native.visits.length = 0;
    await ask({ model: "fallback", input: [...input, ...moved.output, question] }, isStream);
    expect(native.visits).toEqual([]);
    expect(other.visits.at(-1)?.text).toContain('"encrypted_content":"theirs"');
  },
);

test("a model of chats gets nothing that is encrypted, and what a client got elsewhere is passed on", async () => {
  const { response } = await ask({ model: "fallback", input: "Hi" }, false);
  const input = [{ role: "user", content: "Hi" }, ...response.output, question];
  const { headers } = await ask({ model: "by-chat", input }, false);
  expect(chat.visits.at(-1)?.text).not.toContain(native.baseUrl);
  expect(headers.get("x-gatehouse-left-out")).toContain("input.reasoning");
  await ask({ model: "fallback", input: [sealed("gAAAA of another gateway"), question] }, false);
  expect(native.visits.at(-1)?.text).toContain('"encrypted_content":"gAAAA of another gateway"');
});
