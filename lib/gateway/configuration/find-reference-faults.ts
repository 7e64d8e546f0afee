import type { BuiltIn } from "./configuration";

/**
 * Finds duplicate ids, ids of built-in objects, and routes to unknown providers. It runs before the schema check, so that
 * all faults are reported at once; entries without an id are skipped.
 */
export function findReferenceFaults(file: unknown, builtIn: BuiltIn): string[] {
  const providers = listEntries(file, "providers");
  const models = listEntries(file, "models");
  const providerIds = [builtIn.provider, ...providers.map(({ id }) => id)];
  const madeBy = new Map(
    providers.filter(({ kind }) => kind === "http").map(({ id, task_api }) => [id, listMakes(task_api)]),
  );
  return [
    ...findIdFaults("providers", providers, [builtIn.provider]),
    ...findIdFaults("models", models, builtIn.models),
    ...models.flatMap((model, index) => findRouteFaults(model, `models[${index}]`, providerIds)),
    ...models.flatMap((model, index) => findFamilyFaults(model, `models[${index}]`, madeBy)),
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

/** Routes to providers with a task API that doesn't make what the model makes. */
function findFamilyFaults(model: Fields, path: string, madeBy: ReadonlyMap<unknown, unknown[]>): string[] {
  return listEntries(model, "routes").flatMap(({ provider }, index) => {
    const makes = madeBy.get(provider);
    if (!makes || makes.includes(model.family)) return [];
    const mend = "use another provider, or another family";
    return [
      `${path}.routes[${index}].provider: "${provider}" makes ${makes.join(", ")}, not ${model.family}: ${mend}`,
    ];
  });
}

function listMakes(api: unknown): unknown[] {
  return isFields(api) && Array.isArray(api.makes) ? api.makes : [];
}

type Fields = Readonly<Record<string, unknown>>;

function listEntries(parent: unknown, name: string): Fields[] {
  const entries = isFields(parent) ? parent[name] : undefined;
  return Array.isArray(entries) ? entries.map((entry) => (isFields(entry) ? entry : {})) : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
