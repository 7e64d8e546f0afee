import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { encodeWav } from "@/lib/gateway/providers/sandbox-media/create-picture-random";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedModels } from "../../support/gateways/serve-scripted-models";
import type { ScriptedProvider } from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
let gateway: ServedGateway;

beforeAll(async () => {
  ({ provider, gateway } = await serveScriptedModels(`
  - id: ear
    family: transcription
    rate: "0.5"
    unit_price: { unit: second, amount: "0.000001" }
    routes: [{ provider: scripted, model: whisper-1 }]
`));
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});

const part = (head: string, body: string) =>
  `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const wav = Buffer.from(encodeWav(new Int16Array(8_000), 8_000)).toString("latin1");

async function post(text: string) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/audio/transcriptions`, {
    key: gateway.key,
    body: Buffer.from(text, "latin1"),
    headers: { "content-type": "multipart/form-data; boundary=b" },
  });
  return { status: reply.status, text: await reply.text() };
}

async function expectNothingLeft() {
  const incoming = join(gateway.dataFolder, "incoming");
  await until("no recording is left", async () => (await readdir(incoming).catch(() => [])).length === 0);
  expect(await findDoctorFaults(gateway)).toEqual([]);
}

test("a form of 100,000 parts is refused, and other calls are answered meanwhile", async () => {
  const many = part('name="a"', "x").repeat(100_000);
  const refused = post(
    `${part('name="model"', "ear")}${many}${part('name="file"; filename="a.wav"', wav)}--b--\r\n`,
  );
  const health = await fetch(new URL("/healthz", gateway.baseUrl));
  expect(health.status).toBe(200);
  expect(await refused).toMatchObject({ status: 400, text: expect.stringContaining("more than 40 fields") });
  await expectNothingLeft();
});

test("a name with quotes and line ends stays a name in what the provider gets", async () => {
  provider.answerWith(() => Response.json({ text: "Hello", duration: 1 }));
  const filename = 'a%0D%0Ax: y\\"; name=\\"model.wav';
  const form = `${part('name="model"', "ear")}${part(`name="file"; filename="${filename}"`, wav)}--b--\r\n`;
  expect((await post(form)).status).toBe(200);
  const [visit] = provider.visits;
  const heads = (visit?.body ?? "").split("\r\n").filter((line) => line.startsWith("content-disposition"));
  expect(heads).toHaveLength(2);
  expect(heads.filter((head) => /; name="model"/.test(head))).toHaveLength(1);
  expect(visit?.body).not.toMatch(/^x: y/m);
  await expectNothingLeft();
});

test("a form with two recordings is refused, and neither is sent or charged", async () => {
  const recording = (name: string) => part(`name="file"; filename="${name}"`, wav);
  const visits = provider.visits.length;
  const twice = `${part('name="model"', "ear")}${recording("a.wav")}${recording("b.wav")}--b--\r\n`;
  expect(await post(twice)).toMatchObject({ status: 400, text: expect.stringContaining("appears twice") });
  expect(provider.visits.length).toBe(visits);
  await expectNothingLeft();
});

test("the sandbox streams a transcript word by word", async () => {
  const fields = part('name="model"', "sandbox-transcribe") + part('name="stream"', "true");
  const { status, text } = await post(`${fields}${part('name="file"; filename="a.wav"', wav)}--b--\r\n`);
  expect(status).toBe(200);
  const events = text
    .trim()
    .split("\n\n")
    .map((event) => JSON.parse(event.slice("data: ".length)));
  const words = events.filter(({ type }) => type === "transcript.text.delta").map(({ delta }) => delta);
  expect(words.length).toBeGreaterThan(5);
  expect(events.at(-1)).toEqual({ type: "transcript.text.done", text: words.join("") });
  expect(words.join("")).toContain("a recording of 1 seconds");
});
