import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { mediaSnippets } from "@/lib/console/snippets/media-snippets";
import type { OtherFamily } from "@/lib/console/streaming/stream-media";
import { encodeWav } from "@/lib/gateway/providers/sandbox-media/create-picture-random";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let folder: string;
let clock: ReturnType<typeof setInterval>;

beforeAll(async () => {
  gateway = await serveGateway({ balance: "10.00" });
  clock = setInterval(() => gateway.runtime.pass(250), 20);
  folder = join(tmpdir(), `media-snippets-${crypto.randomUUID()}`);
  await mkdir(folder);
  await symlink(resolve(import.meta.dir, "../../../node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "recording.mp3"), encodeWav(new Int16Array(24_000), 24_000));
});
afterAll(async () => {
  clearInterval(clock);
  await rm(folder, { recursive: true });
  await gateway.close();
});

const bodies: readonly (readonly [OtherFamily, Record<string, unknown>, string | null, string])[] = [
  ["image", { prompt: `a "house" at $HOME`, size: "64x64" }, "image-0.png", ""],
  ["video", { prompt: "waves", seconds: 1, size: "64x64" }, "video.webm", ""],
  ["music", { prompt: "a tune", seconds: 1 }, null, "succeeded"],
  ["speech", { input: "It's me", voice: "alloy", response_format: "wav" }, "speech.wav", ""],
  ["transcription", { language: "en" }, null, " "],
  ["embedding", { input: "words", dimensions: 4 }, null, "["],
  ["moderation", { input: "words" }, null, "flagged"],
];

async function runSuccessfully(...command: string[]): Promise<string> {
  const env = { ...process.env, GATEHOUSE_API_KEY: gateway.key };
  const program = Bun.spawn(command, { cwd: folder, env, stdout: "pipe", stderr: "pipe" });
  const [out, faults] = await Promise.all([
    new Response(program.stdout).text(),
    new Response(program.stderr).text(),
  ]);
  if ((await program.exited) !== 0) throw new Error(faults);
  return out;
}

function findSnippet(id: string, family: OtherFamily, body: object): string {
  const model = family === "transcription" ? "sandbox-transcribe" : `sandbox-${family}`;
  const call = { baseUrl: gateway.baseUrl, family, body: { model, ...body }, translates: false };
  return mediaSnippets(call).find((snippet) => snippet.id === id)?.code ?? "";
}

test.each(bodies)("curl's call to a %s model answers as it stands", async (family, body, file) => {
  const out = await runSuccessfully("sh", "-c", `${findSnippet("curl", family, body)} -s --fail-with-body`);
  if (family === "speech") expect(await readdir(folder)).toContain(file ?? "");
  else expect(JSON.parse(out).error ?? null).toBeNull();
});

test.each(bodies)("the openai snippet for a %s model runs unchanged", async (family, body, file, words) => {
  const path = join(folder, `${family}.ts`);
  await writeFile(path, findSnippet("openai", family, body));
  const out = await runSuccessfully(process.execPath, path);
  if (file !== null) expect(await readdir(folder)).toContain(file);
  expect(out).toContain(words.trim());
});

test.each(bodies)("Python reads the snippet for a %s model", async (family, body) => {
  const path = join(folder, `${family}.py`);
  await writeFile(path, findSnippet("python", family, body));
  await runSuccessfully("python3", "-m", "py_compile", path);
});

test("no snippet has a key", () => {
  for (const [family, body] of bodies)
    for (const id of ["curl", "openai", "python"]) {
      const code = findSnippet(id, family, body);
      expect(code).toContain("GATEHOUSE_API_KEY");
      expect(code).not.toContain("gk_");
    }
});
