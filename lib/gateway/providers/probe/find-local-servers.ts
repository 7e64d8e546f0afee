import { findPreset, type PresetName } from "@/lib/contract/calls/provider-presets";
import type { LocalServer } from "@/lib/contract/operations/models/provider-tests";
import type { Clock } from "../../clock";
import { parseBounded } from "../../http/json";
import type { ProviderDirectory } from "../../models/providers/provider-directory";
import { toProvider } from "../../models/providers/providers";
import { createProviderClient } from "../provider-link";
import { readModelList } from "./listed-models";
import { askWithin } from "./probe-protocol";

/** The names of this machine, as the operator may allow them; the last is its name in a container. */
const HOSTS = ["127.0.0.1", "localhost", "[::1]", "host.docker.internal"];
/** Where the servers that people run on their machine usually listen. */
const usualPorts: Readonly<Record<number, PresetName>> = {
  11434: "ollama",
  8000: "vllm",
  8080: "llama-cpp",
  1234: "lm-studio",
};
/** A server on this machine answers at once or isn't there. */
const ANSWER_MS = 1_500;
const MAX_BYTES = 1024 * 1024;

/**
 * The model servers on this machine that answer without a key, where the operator has allowed its name. Those that are
 * a provider already are left out. Nothing is added.
 */
export async function findLocalServers(
  directory: ProviderDirectory,
  clock: Clock,
  ports: Readonly<Record<number, PresetName>> = usualPorts,
): Promise<LocalServer[]> {
  const allowed = HOSTS.filter((host) => directory.trusts(`http://${host}`));
  const known = new Set(directory.list().map(({ baseUrl }) => portOf(baseUrl)));
  const asked = Object.entries(ports).flatMap(([port, preset]) =>
    known.has(port) ? [] : [findAt(allowed, { port, preset }, directory, clock)],
  );
  return (await Promise.all(asked)).filter((server) => server !== null);
}

/** The port of a server on this machine; empty for another one. */
function portOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url && HOSTS.includes(url.hostname) ? url.port : "";
}

async function findAt(
  hosts: readonly string[],
  { port, preset }: { readonly port: string; readonly preset: PresetName },
  directory: ProviderDirectory,
  clock: Clock,
): Promise<LocalServer | null> {
  for (const host of hosts) {
    const base_url = `http://${host}:${port}/v1`;
    const client = createProviderClient(
      toProvider(directory, { id: preset, kind: "openai", base_url }),
      clock,
    );
    try {
      const { status, text } = await askWithin(() => client.listModels?.(), ANSWER_MS, MAX_BYTES);
      const list = status === 200 ? readModelList(parseBounded(text), () => false) : null;
      if (list) return { preset, title: findPreset(preset).title, base_url, models: list.models.length };
    } catch {}
  }
  return null;
}
