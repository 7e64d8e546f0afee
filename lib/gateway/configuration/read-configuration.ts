import { type Document, parseDocument, visit, type YAMLError } from "yaml";
import * as z from "zod/mini";
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
} from "@/lib/contract/calls/provider-protocols";
import { describeIssue } from "@/lib/contract/describe-issue";
import { isObject, parseJson } from "@/lib/contract/json-value";
import { type BuiltIn, type Configuration, type ConfigurationFile, configurationFile } from "./configuration";

/**
 * Reads the configuration file (contract, "Configuration file") and fills in `${NAME}` from the environment.
 * @returns the configuration, or all faults, each a line with its place and its correction.
 */
export function readConfiguration(
  yaml: string,
  environment: Readonly<Record<string, string | undefined>>,
  builtIn: BuiltIn,
): { configuration: Configuration } | { faults: string[] } {
  const document = readYaml(yaml);
  if ("faults" in document) return document;
  const { value, faults } = fillPlaceholders(document.value ?? {}, environment);
  const result = z.safeParse(configurationFile, value, { error: describeIssue, reportInput: true });
  if (!result.success) faults.push(...result.error.issues.map(describeFault));
  faults.push(...findReferenceFaults(value, builtIn));
  if (result.success) faults.push(...findNamedProjects(result.data));
  if (!result.success || faults.length > 0) return { faults };
  const { providers = [], models = [], defaults, retention = {}, outputs } = result.data;
  const rateLimits = defaults?.rate_limits ?? {};
  const configuration = { providers, models, defaults: rateLimits, retention, ...(outputs && { outputs }) };
  return { configuration };
}

/**
 * Reads a file that is to be planned. Its placeholders stay, since the environment of the gateway is nobody's to read.
 * @returns the file, or all faults as `readConfiguration` does.
 */
export function readPlannedFile(
  yaml: string,
  builtIn: BuiltIn,
): { readonly file: ConfigurationFile } | { readonly faults: string[] } {
  // JSON is YAML, and is read in a fraction of the time.
  const json = yaml.trimStart().startsWith("{") ? parseJson(yaml) : undefined;
  const document = json === undefined ? readYaml(yaml) : { value: json };
  if ("faults" in document) return document;
  const value = document.value ?? {};
  const result = z.safeParse(configurationFile, value, { error: describeIssue, reportInput: true });
  const faults = result.success ? findOpenKeys(result.data) : result.error.issues.map(describeFault);
  // A route may lead to a provider that only the gateway knows.
  faults.push(...findReferenceFaults(value, builtIn, { routes: false }));
  return result.success && faults.length === 0 ? { file: result.data } : { faults };
}

/** The whole of a key that a plan takes: the name of the secret. */
export const SECRET_NAME = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** A plan is stored and shown, so a key in it would be no secret any more. */
function findOpenKeys({ providers = [], outputs }: ConfigurationFile): string[] {
  const mend = "must be the name of a secret such as ${OPENAI_API_KEY}: what is planned is stored and shown";
  const keys = providers.flatMap(({ api_key: only, api_keys: several = [] }, index) => [
    { key: only, path: `providers[${index}].api_key` },
    ...several.map((key, at) => ({ key, path: `providers[${index}].api_keys[${at}]` })),
  ]);
  const bucketKeys = (["access_key_id", "secret_access_key", "session_token"] as const).map((name) => ({
    key: outputs?.[name],
    path: `outputs.${name}`,
  }));
  return [...keys, ...bucketKeys].flatMap(({ key, path }) =>
    !key || SECRET_NAME.test(key) ? [] : [`${path} ${mend}`],
  );
}

/** At start the names of projects aren't known yet. */
function findNamedProjects({ models = [] }: ConfigurationFile): string[] {
  return models.flatMap(({ projects }, index) =>
    (projects ?? []).flatMap((id, position) =>
      id.startsWith("proj_")
        ? []
        : [
            `models[${index}].projects[${position}] must be a project's id: a name is understood only in a plan`,
          ],
    ),
  );
}

function readYaml(yaml: string): { value: unknown } | { faults: string[] } {
  try {
    // The level "silent" would leave out further documents without an error.
    const document = parseDocument(yaml, { logLevel: "error" });
    const faults = [...document.errors, ...document.warnings];
    if (faults.length > 0) return { faults: faults.map(describeYamlFault) };
    const value = document.toJS();
    const ownAlias = findAliasOfItself(document);
    return ownAlias === null
      ? { value }
      : { faults: [`*${ownAlias} stands within what it names, &${ownAlias}: remove it`] };
  } catch (error) {
    // An alias without its anchor, or an excessive number of aliases.
    return { faults: [error instanceof Error ? error.message : "can't be read"] };
  }
}

/** The name of an alias whose value contains itself: following it would never end. */
function findAliasOfItself(document: Document): string | null {
  let found: string | null = null;
  visit(document, {
    Alias(_key, alias, path) {
      const target = alias.resolve(document);
      if (target === undefined || !path.includes(target)) return undefined;
      found = alias.source;
      return visit.BREAK;
    },
  });
  return found;
}

/** A tag that isn't resolved is only a warning to the library, but its value would be taken as it stands. */
function describeYamlFault({ code, message, linePos }: YAMLError): string {
  const [words = ""] = message.split(/ at line |\n/);
  const corrections: Partial<Record<YAMLError["code"], string>> = {
    MULTIPLE_DOCS: 'a second document begins: join it with the first, without "---" or "..."',
    TAG_RESOLVE_FAILED: `${words}: for a value from the environment, write \${NAME}`,
  };
  return `line ${linePos?.[0].line ?? 1}: ${corrections[code] ?? words}`;
}

function describeFault(issue: z.core.$ZodIssue): string {
  const path = writePath(issue.path) || "the file";
  const isBareNumber =
    issue.code === "invalid_type" && issue.expected === "string" && typeof issue.input === "number";
  return `${path} ${isBareNumber ? "must be text: write the number in quotes" : issue.message}`;
}

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces `${NAME}` in texts with environment variables. It runs after parsing, so a value can't change the file's
 * structure.
 */
function fillPlaceholders(value: unknown, environment: Environment): { value: unknown; faults: string[] } {
  const faults: string[] = [];
  const fill = (part: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof part === "string") {
      return part.replace(PLACEHOLDER, (placeholder, name: string) => {
        const setting = environment[name];
        if (setting) return setting;
        faults.push(`${writePath(path)} names ${name}, which is not set in the environment: set it`);
        return placeholder;
      });
    }
    if (Array.isArray(part)) return part.map((entry, index) => fill(entry, [...path, index]));
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, entry]) => [key, fill(entry, [...path, key])]));
  };
  return { value: fill(value, []), faults };
}

/** A place in the file in the usual notation: `models[2].price.input_per_1m`. */
function writePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

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
