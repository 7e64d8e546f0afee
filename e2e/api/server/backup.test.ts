import { expect, test } from "bun:test";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchWithKey } from "../../support/clients/send";
import { startGateway } from "../../support/programs/start-gateway";

async function run(args: string[], dataFolder: string): Promise<{ code: number; text: string }> {
  const child = Bun.spawn([process.execPath, "lib/gateway/doctor/run.ts", ...args], {
    env: { ...process.env, GATEHOUSE_DATA: dataFolder },
    stdout: "pipe",
    stderr: "pipe",
  });
  const text = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
  return { code: await child.exited, text };
}

test("a backup made under load is sound, and a gateway starts from it with nothing held", async () => {
  const gateway = await startGateway();
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-backup-"));
  const copy = join(folder, "gatehouse.sqlite");
  const ask = async (url: string, method: string, path: string, body?: object) => {
    const reply = await fetchWithKey(`${url}${path}`, { method, key: gateway.adminKey, body });
    return (await reply.json()) as { data: { id: string }[]; value: string; held: string };
  };
  const { data } = await ask(gateway.baseUrl, "GET", "/organization/projects");
  const keys = `/organization/projects/${data[0]?.id}/api_keys`;
  const { value } = await ask(gateway.baseUrl, "POST", keys, { name: "Load" });
  const over = new AbortController();
  const keepCalling = async () => {
    while (!over.signal.aborted) {
      await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
        key: value,
        body: { model: "sandbox-echo", messages: [{ role: "user", content: "Hello" }] },
      }).then((reply) => reply.text());
    }
  };
  const load = Promise.all(Array.from({ length: 8 }, keepCalling));
  try {
    const made = await run(["backup", copy], gateway.dataFolder);
    expect([made.code, made.text]).toEqual([0, expect.stringContaining("are on disk")]);
    const again = await run(["backup", copy], gateway.dataFolder);
    expect([again.code, again.text]).toEqual([1, expect.stringContaining("is there already")]);
    const live = await run([], gateway.dataFolder);
    expect([live.code, live.text]).toEqual([0, expect.stringContaining("All is well.")]);
    const [head = ""] = /\b\d+:[0-9a-f]{64}\b/.exec(live.text) ?? [];
    expect((await run(["--audit-head", head], gateway.dataFolder)).code).toBe(0);
    const other = await run(
      ["--audit-head", head.replace(/.$/, (last) => (last === "0" ? "1" : "0"))],
      folder,
    );
    expect([other.code, other.text]).toEqual([1, expect.stringContaining("exported was")]);
    const unknown = await run(["--audit-head", "latest"], gateway.dataFolder);
    expect([unknown.code, unknown.text]).toEqual([1, expect.stringContaining("length and hash of")]);
  } finally {
    over.abort();
    await load;
    await gateway.stop();
  }
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
  const sound = await run([], folder);
  expect([sound.code, sound.text]).toEqual([0, expect.stringContaining("All is well.")]);
  const restored = await startGateway({ GATEHOUSE_DATA: folder });
  try {
    expect((await ask(restored.baseUrl, "GET", "/organization/balance")).held).toBe("0.00");
  } finally {
    await restored.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("without data both say what to do", async () => {
  const { code, text } = await run([], join(tmpdir(), "gatehouse-nothing-here"));
  expect([code, text]).toEqual([1, expect.stringContaining("start Gatehouse first")]);
});
