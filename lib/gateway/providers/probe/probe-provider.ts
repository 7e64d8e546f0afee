import { findPreset, type PresetName } from "@/lib/contract/calls/provider-presets";
import { providerProtocols } from "@/lib/contract/calls/provider-protocols";
import type { LocalServer, ProviderTest } from "@/lib/contract/operations/models/provider-tests";
import type { Clock } from "../../clock";
import { parseBounded } from "../../http/json";
import type { Provider, ProviderDirectory } from "../../models/providers/provider-directory";
import { toProvider } from "../../models/providers/providers";
import { createProviderClient } from "../provider-kinds";
import type { ProviderLink } from "../provider-link";
import { type ListedModel, readModelList } from "./listed-models";
import { askWithin, describeUnanswered, probeProtocol } from "./probe-protocol";

const LIST_MS = 10_000;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** A reach of the kinds that have no list. */
const REACH_MS = 10_000;

type Reached = Pick<ProviderTest, "outcome" | "status" | "message">;
type Finding = Reached &
  Pick<ProviderTest, "tested_model" | "protocols" | "spoken_protocols"> & {
    /** Null where the list couldn't be read. */
    readonly list: { readonly models: ListedModel[]; readonly hasMore: boolean } | null;
  };

/**
 * Asks a provider for its models, which is free, and for one token in each protocol. Nobody is charged, and no call's
 * place is taken.
 * @param choose the model that is called, among those that the provider lists; null calls none.
 */
export async function probeProvider(
  provider: Provider,
  link: ProviderLink,
  choose: (models: readonly ListedModel[]) => string | null,
): Promise<Finding> {
  const none = { tested_model: null, protocols: [], spoken_protocols: [], list: null };
  const { listModels, reach } = link.client;
  if (!listModels && reach) return { ...(await reachOnly(provider, reach)), ...none };
  if (!listModels) {
    const message = "It is built in: there is nothing to connect to.";
    return { outcome: "reached", status: null, message, ...none };
  }
  const { reached, list } = await listWithin(provider, link);
  if (reached.status === null) return { ...reached, ...none };
  link.noteAnswered();
  // A key that is refused for the list alone may be allowed calls.
  const mayCall = reached.status !== 401 && reached.status !== 402;
  const model = mayCall ? choose(list?.models ?? []) : null;
  if (model === null) return { ...reached, ...none, list };
  const context = { link, provider: provider.id };
  const protocols = await Promise.all(providerProtocols.map((one) => probeProtocol(one, model, context)));
  const spoken = protocols.filter(({ outcome }) => outcome === "answered" || outcome === "refused");
  const spokenNames = spoken.map(({ protocol }) => protocol);
  return { ...reached, tested_model: model, protocols, spoken_protocols: spokenNames, list };
}

async function listWithin(
  provider: Provider,
  { client }: ProviderLink,
): Promise<{ reached: Reached; list: Finding["list"] }> {
  try {
    const { status, text } = await askWithin(() => client.listModels?.(), LIST_MS, MAX_LIST_BYTES);
    const list =
      status < 300 ? readList(text, (words) => (client.conceal?.(words) ?? words) !== words) : null;
    return { reached: describeStatus(status, list !== null), list };
  } catch (error) {
    const message = describeUnanswered(error, provider.id);
    return { reached: { outcome: "unreachable", status: null, message }, list: null };
  }
}

function readList(text: string, isSecret: (words: string) => boolean): Finding["list"] {
  try {
    return readModelList(parseBounded(text), isSecret);
  } catch {
    return null;
  }
}

function describeStatus(status: number, isList: boolean): Reached {
  if (status === 401 || status === 403) {
    const message = `It answers, and refuses the gateway's key (${status}). Replace the provider's key.`;
    return { outcome: "refused", status, message };
  }
  if (status === 402) {
    const message = "It answers, and the gateway's account there has no credit left (402). Top it up.";
    return { outcome: "refused", status, message };
  }
  if (status === 404) {
    const message =
      "It answers, and lists no models (404): base_url may lead elsewhere. Calls may work all the same.";
    return { outcome: "reached", status, message };
  }
  if (status >= 500) {
    const message = `It answers with an error of its own (${status}). Try again later.`;
    return { outcome: "unreachable", status, message };
  }
  if (status >= 300 && status < 400) {
    const message = `It leads elsewhere (${status}), and no key is sent there. Correct base_url.`;
    return { outcome: "reached", status, message };
  }
  if (status >= 300) return { outcome: "reached", status, message: `It answers with status ${status}.` };
  const message = isList
    ? "It answers, and accepts the gateway's key."
    : "It answers with something else than a list of models: base_url may lead to a page.";
  return { outcome: "reached", status, message };
}

/** Opens a connection and sends nothing, for providers without a free request. */
async function reachOnly(provider: Provider, reach: (ms: number) => Promise<void>): Promise<Reached> {
  try {
    await reach(REACH_MS);
  } catch (error) {
    return { outcome: "unreachable", status: null, message: describeUnanswered(error, provider.id) };
  }
  const message = "It accepts connections. Its API has no free request that would check the key.";
  return { outcome: "reached", status: null, message };
}

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
