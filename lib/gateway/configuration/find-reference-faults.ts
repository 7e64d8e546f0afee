import type { BuiltIn } from "./configuration";

/**
 * Finds duplicate ids, ids of built-in objects, and routes to unknown providers. It runs before the schema check, so that
 * all faults are reported at once; entries without an id are skipped.
 */
export function findReferenceFaults(file: unknown, builtIn: BuiltIn): string[] {
  const providers = entriesOf(file, "providers");
  const models = entriesOf(file, "models");
  const known = [builtIn.provider, ...providers.map(({ id }) => id)];
  const madeBy = new Map(
    providers.filter(({ kind }) => kind === "http").map(({ id, task_api }) => [id, makesOf(task_api)]),
  );
  return [
    ...findIdFaults("providers", providers, [builtIn.provider]),
    ...findIdFaults("models", models, builtIn.models),
    ...models.flatMap((model, index) => findRouteFaults(model, `models[${index}]`, known)),
    ...models.flatMap((model, index) => findFamilyFaults(model, `models[${index}]`, madeBy)),
  ];
}

function findIdFaults(section: string, entries: readonly Fields[], reserved: readonly string[]): string[] {
  const first = new Map<unknown, number>();
  return entries.flatMap(({ id }, index) => {
    if (typeof id !== "string") return [];
    const place = `${section}[${index}].id`;
    if (reserved.includes(id)) return [`${place}: "${id}" is built in: give this one another id`];
    const earlier = first.get(id);
    if (earlier !== undefined) return [`${place}: "${id}" stands at ${section}[${earlier}] already`];
    first.set(id, index);
    return [];
  });
}

function findRouteFaults(model: Fields, place: string, known: readonly unknown[]): string[] {
  return entriesOf(model, "routes").flatMap(({ provider }, index) => {
    if (typeof provider !== "string" || known.includes(provider)) return [];
    const mend = `use one of ${known.filter((id) => typeof id === "string").join(", ")}, or add it under providers`;
    return [`${place}.routes[${index}].provider: there is no provider "${provider}": ${mend}`];
  });
}

/** Routes to providers with a task API that doesn't make what the model makes. */
function findFamilyFaults(model: Fields, place: string, madeBy: ReadonlyMap<unknown, unknown[]>): string[] {
  return entriesOf(model, "routes").flatMap(({ provider }, index) => {
    const makes = madeBy.get(provider);
    if (!makes || makes.includes(model.family)) return [];
    const mend = "use another provider, or another family";
    return [
      `${place}.routes[${index}].provider: "${provider}" makes ${makes.join(", ")}, not ${model.family}: ${mend}`,
    ];
  });
}

function makesOf(api: unknown): unknown[] {
  return isFields(api) && Array.isArray(api.makes) ? api.makes : [];
}

type Fields = Readonly<Record<string, unknown>>;

function entriesOf(parent: unknown, name: string): Fields[] {
  const entries = isFields(parent) ? parent[name] : undefined;
  return Array.isArray(entries) ? entries.map((entry) => (isFields(entry) ? entry : {})) : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
