import { afterEach, expect, test } from "bun:test";
import { ProviderDirectory } from "../../models/providers/provider-directory";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { findLocalServers } from "./probe-provider";

const servers: ReturnType<typeof Bun.serve>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

function serve(answer: () => Response): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  servers.push(server);
  return server.port ?? 0;
}
const { clock } = simulatedRuntime();
const models = () => Response.json({ data: [{ id: "llama3" }, { id: "qwen3" }] });

test("a model server on this machine is found where the operator allows its host", async () => {
  const port = serve(models);
  const find = (hosts: string[]) =>
    findLocalServers(new ProviderDirectory(hosts), clock, { [port]: "ollama" });
  expect(await find(["127.0.0.1"])).toEqual([
    { preset: "ollama", title: "Ollama", base_url: `http://127.0.0.1:${port}/v1`, models: 2 },
  ]);
  expect(await find([])).toEqual([]);
  expect(await find(["10.0.0.7"])).toEqual([]);
});

test("what refuses, redirects, or is no model server is not offered", async () => {
  const answers = [
    () => new Response("no", { status: 401 }),
    () => Response.redirect("http://127.0.0.1:9/v1/models", 302),
    () => new Response("<html></html>"),
    () => Response.json({ hello: "world" }),
    () => new Response("x".repeat(2_000_000)),
  ];
  const ports = Object.fromEntries(answers.map((answer) => [serve(answer), "vllm" as const]));
  expect(await findLocalServers(new ProviderDirectory(["127.0.0.1"]), clock, ports)).toEqual([]);
});
