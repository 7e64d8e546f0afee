import {
  type MediaFamily,
  type ModelFamily,
  mediaFamilies,
  modelFamilies,
} from "@/lib/contract/calls/model-families";
import {
  listMadeFamilies,
  type ProviderKindName,
  providerKindNames,
  servesFamily,
} from "@/lib/contract/calls/provider-kinds";
import { isObject } from "@/lib/contract/json-value";
import type { BuiltIn } from "./configuration";

/**
 * Finds duplicate ids, ids of built-in objects, and routes to unknown providers. It runs before the schema check, so
 * that all faults are reported at once; entries without an id are skipped.
 */
export function findReferenceFaults(
  file: unknown,
  builtIn: BuiltIn,
  /** Whether each route must lead to a provider of the file. */
  { routes } = { routes: true },
): string[] {
  const providers = listEntries(file, "providers");
  const models = listEntries(file, "models");
  const providerIds = [builtIn.provider, ...providers.map(({ id }) => id)];
  const servers = new Map(
    providers.map(({ id, kind, task_api }) => [id, { kind, makes: listMakes(task_api) }]),
  );
  return [
    ...findIdFaults("providers", providers, [builtIn.provider]),
    ...findIdFaults("models", models, builtIn.models),
    ...(routes ? models : []).flatMap((model, index) =>
      findRouteFaults(model, `models[${index}]`, providerIds),
    ),
    ...models.flatMap((model, index) => findFamilyFaults(model, `models[${index}]`, servers)),
  ];
}

function findIdFaults(section: string, entries: readonly Fields[], reservedIds: readonly string[]): string[] {
  const first = new Map<unknown, number>();
  return entries.flatMap(({ id }, index) => {
    if (typeof id !== "string") return [];
    const path = `${section}[${index}].id`;
    if (reservedIds.includes(id)) return [`${path}: "${id}" is built in: give this one another id`];
    const earlier = first.get(id);
    if (earlier !== undefined) return [`${path}: "${id}" stands at ${section}[${earlier}] already`];
    first.set(id, index);
    return [];
  });
}

function findRouteFaults(model: Fields, path: string, providerIds: readonly unknown[]): string[] {
  return listEntries(model, "routes").flatMap(({ provider }, index) => {
    if (typeof provider !== "string" || providerIds.includes(provider)) return [];
    const mend = `use one of ${providerIds.filter((id) => typeof id === "string").join(", ")}, or add it under providers`;
    return [`${path}.routes[${index}].provider: there is no provider "${provider}": ${mend}`];
  });
}

interface Server {
  readonly kind: unknown;
  /** The families that its task API names. */
  readonly makes: readonly MediaFamily[];
}

/** Routes to providers that don't serve the model's family. */
function findFamilyFaults(model: Fields, path: string, servers: ReadonlyMap<unknown, Server>): string[] {
  const { family } = model;
  return listEntries(model, "routes").flatMap(({ provider }, index) => {
    const { kind, makes = [] } = servers.get(provider) ?? {};
    if (!isKind(kind) || !isFamily(family) || servesFamily(kind, makes, family)) return [];
    const made = listMadeFamilies(kind, makes).join(", ");
    const mend = "use another provider, or another family";
    return [`${path}.routes[${index}].provider: "${provider}" makes ${made}, not ${family}: ${mend}`];
  });
}

const isKind = (value: unknown): value is ProviderKindName =>
  providerKindNames.some((name) => name === value);
const isFamily = (value: unknown): value is ModelFamily => modelFamilies.some((name) => name === value);

function listMakes(api: unknown): MediaFamily[] {
  const makes = isObject(api) && Array.isArray(api.makes) ? api.makes : [];
  return mediaFamilies.filter((family) => makes.includes(family));
}

type Fields = Readonly<Record<string, unknown>>;

function listEntries(parent: unknown, name: string): Fields[] {
  const entries = isObject(parent) ? parent[name] : undefined;
  return Array.isArray(entries) ? entries.map((entry) => (isObject(entry) ? entry : {})) : [];
}
