import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import { startGateway } from "@/lib/dev/launch/start-gateway";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveGateway } from "../../support/gateways/serve-gateway";
import { createProjectKey } from "../../support/programs/create-project-key";
import { makeDataFolder } from "../../support/programs/start-program";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
} from "../../support/servers/scripted-provider";

const never = new Promise<never>(() => {});
const completion = () => Response.json({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } });
const writeBody = (model: string, stream = false) =>
  JSON.stringify({ model, stream, messages: [{ role: "user", content: "Hello" }] });

let hanging: ScriptedProvider;

beforeEach(() => {
  hanging = startScriptedProvider();
  hanging.answerWith(() => never);
});

afterEach(() => hanging.stop());

function call(
  { url, key }: { url: string; key: string },
  model: string,
  { signal, stream = false }: { signal?: AbortSignal; stream?: boolean } = {},
) {
  return fetchWithKey(`${url}/v1/chat/completions`, {
    key,
    body: writeBody(model, stream),
    ...(signal && { signal }),
  });
}

async function untilVisited(provider: ScriptedProvider, times: number): Promise<void> {
  await until(`the provider is called ${times} times`, () => provider.visits.length >= times);
}

describe("a provider with as many calls as it may have", () => {
  const limits = { max_concurrent_requests: 2 };

  test("gets no more calls; the next is refused at once and isn't counted", async () => {
    const gateway = await serveGateway({ config: scriptedConfiguration(hanging, limits) });
    const target = { url: gateway.baseUrl.replace("/v1", ""), key: gateway.key };
    const leave = new AbortController();
    const waiting = [
      call(target, "fake", { signal: leave.signal }),
      call(target, "fake", { signal: leave.signal }),
    ];
    await untilVisited(hanging, 2);
    const before = await gateway.admin("GET", "/organization/balance");
    const refused = await Promise.all([call(target, "fake"), call(target, "fake")]);
    for (const reply of refused) {
      expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(reply.headers.get("x-ratelimit-remaining-requests")).toBe("598");
      expect((await reply.json()).error).toMatchObject({ type: "service_error", code: "provider_saturated" });
    }
    expect(await gateway.admin("GET", "/organization/balance")).toEqual(before);
    expect(hanging.visits).toHaveLength(2);

    leave.abort();
    await Promise.allSettled([...waiting, ...hanging.visits.map(({ aborted }) => aborted)]);
    hanging.answerWith(completion);
    expect((await call(target, "fake")).status).toBe(200);
    await gateway.close();
  });

  test.each([
    ["its answers", 200, completion],
    ["its errors", 400, () => new Response(null, { status: 400 })],
    ["its streams", 200, () => streamChunks([chunkEvent({ content: "Hi" }), DONE])],
  ])("has room again after %s", async (name, status, answer) => {
    hanging.answerWith(answer);
    const gateway = await serveGateway({ config: scriptedConfiguration(hanging, limits) });
    const target = { url: gateway.baseUrl.replace("/v1", ""), key: gateway.key };
    for (let calls = 0; calls < 5; calls++) {
      const reply = await call(target, "fake", { stream: name === "its streams" });
      expect(reply.status).toBe(status);
      await reply.text();
    }
    await gateway.close();
  });
});

describe("300 calls that hang at one provider leave the others alone", () => {
  const CALLS = 300;

  test.each([
    ["npm start", startAsPart],
    ["npm run gateway", startAlone],
  ])("%s", async (_name, start) => {
    const other = startScriptedProvider();
    other.answerWith(completion);
    const dataFolder = await makeDataFolder();
    const [port] = await findFreePorts(1);
    const configFile = join(dataFolder, "gatehouse.yaml");
    await writeFile(configFile, twoProviders(hanging, other));
    const gateway = await start({
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      GATEWAY_PORT: String(port),
      GATEHOUSE_DATA: dataFolder,
      GATEHOUSE_CONFIG: configFile,
    });
    const target = { url: gateway.url, key: await createProjectKey(gateway) };
    const hung = Array.from({ length: CALLS }, () => callWithoutWaiting(target, "hanging"));
    await untilVisited(hanging, CALLS);
    const replies = await Promise.all(Array.from({ length: 100 }, () => call(target, "other")));
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    for (const socket of await Promise.all(hung)) socket.end();
    await gateway.stop();
    await other.stop();
    await rm(dataFolder, { recursive: true, force: true });
  });
});

interface Started {
  readonly url: string;
  readonly adminKey: string;
  stop(): Promise<unknown>;
}

async function startAsPart(env: Record<string, string | undefined>): Promise<Started> {
  const { program, ready } = startGateway(env);
  const { url, adminKey = "" } = await ready;
  return { url, adminKey, stop: () => program.stop() };
}

/** The relevant lines come first, as in the printed form. */
async function startAlone(env: Record<string, string | undefined>): Promise<Started> {
  const program = Bun.spawn(["npm", "run", "--silent", "gateway"], { env, stdout: "pipe", stderr: "ignore" });
  let output = "";
  for await (const chunk of program.stdout) {
    output += Buffer.from(chunk).toString();
    const [, url, adminKey] = /at (\S+)\/v1 [^]*: (gk_admin_\w+)\n/.exec(output) ?? [];
    if (url && adminKey) return { url, adminKey, stop: () => (program.kill(), program.exited) };
  }
  throw new Error(`The gateway did not start: ${output}`);
}

/** Uses its own connection, since this process allows fewer open calls than the gateway. */
function callWithoutWaiting({ url, key }: { url: string; key: string }, model: string) {
  const { hostname, port } = new URL(url);
  const body = writeBody(model);
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Bun.connect({
    hostname,
    port: Number(port),
    socket: { open: (socket) => void socket.write(head + body), data() {} },
  });
}

function twoProviders(...[hangs, answers]: [ScriptedProvider, ScriptedProvider]): string {
  const price = { input_per_1m: "0", output_per_1m: "0" };
  const model = (id: string) => ({
    id,
    family: "chat",
    rate: "1",
    price,
    routes: [{ provider: id, model: id }],
  });
  return JSON.stringify({
    providers: [
      { id: "hanging", kind: "openai", base_url: hangs.baseUrl },
      { id: "other", kind: "openai", base_url: answers.baseUrl },
    ],
    models: [model("hanging"), model("other")],
  });
}
