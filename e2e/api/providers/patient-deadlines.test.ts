import { afterEach, expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

const never = new Promise<never>(() => {});
const USAGE = { prompt_tokens: 1, completion_tokens: 1 };
let gateway: ServedGateway;
let provider: ScriptedProvider;

afterEach(async () => {
  await gateway.close();
  await provider.stop();
});

async function serve(timeouts?: object): Promise<void> {
  provider = startScriptedProvider();
  const config = scriptedConfiguration(provider, timeouts && { timeouts });
  gateway = await serveGateway({ config, isExpectedFault: isProviderFault });
}

const call = (content: string, stream: boolean) =>
  fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "fake", messages: [{ role: "user", content }], stream },
  });

/** Lets time pass until a stream that has fallen silent is given up, which is after five minutes. */
async function passSilence(): Promise<void> {
  const silent = (await call("silent", true)).text();
  const end = { isThere: false };
  const noted = silent.finally(() => {
    end.isThere = true;
  });
  await until("the silent stream is given up", async () => {
    gateway.pass(5_000);
    return end.isThere;
  });
  expect(await noted).toContain("provider_timeout");
}

/** Answers `silent` with a stream that falls silent, and everything else by `script`. */
function answerOthers(script: () => Response | Promise<Response>): void {
  provider.answerWith(({ body }) =>
    body.includes("silent") ? streamChunks([chunkEvent({ content: "a" }), never]) : script(),
  );
}

test("a whole answer that takes longer than five minutes of silence is waited for", async () => {
  await serve();
  const { promise, resolve } = Promise.withResolvers<void>();
  answerOthers(async () => {
    await promise;
    return Response.json(chatCompletion("Thought.", USAGE));
  });
  const slow = call("slow", false);
  await until("the call was sent", async () => provider.visits.length === 1);
  await passSilence();
  resolve();
  expect((await slow).status).toBe(200);
});

test("a whole answer whose head comes at once may take as long as one that comes whole", async () => {
  await serve();
  const { promise, resolve } = Promise.withResolvers<void>();
  answerOthers(() =>
    streamChunks([promise, JSON.stringify(chatCompletion("Thought.", USAGE))], "application/json"),
  );
  const slow = call("slow", false);
  await until("the call was sent", async () => provider.visits.length === 1);
  await passSilence();
  resolve();
  expect((await slow).status).toBe(200);
});

test("a stream whose first event comes after minutes of thinking is whole", async () => {
  await serve();
  const { promise, resolve } = Promise.withResolvers<void>();
  answerOthers(() => streamChunks([promise, chunkEvent({ content: "b" }), usageEvent(USAGE), DONE]));
  const slow = call("slow", true);
  await until("the call was sent", async () => provider.visits.length === 1);
  await passSilence();
  resolve();
  expect(await (await slow).text()).toEndWith(DONE);
});

test("an answer that is not there after ten minutes is given up, whatever has come of it", async () => {
  await serve();
  answerOthers(() => streamChunks(["   ", never], "application/json"));
  const slow = call("slow", false);
  await until("the call was sent", async () => provider.visits.length === 1);
  gateway.pass(601_000);
  expect((await slow).status).toBe(504);
});

test("each time limit is the provider's own where the file names it", async () => {
  await serve({ whole_answer_seconds: 30, first_event_seconds: null, idle_seconds: 20 });
  answerOthers(() => never);
  const slow = call("slow", false);
  await until("the call was sent", async () => provider.visits.length === 1);
  gateway.pass(31_000);
  expect((await slow).status).toBe(504);
});
