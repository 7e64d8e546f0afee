import { type Document, parseDocument, visit, type YAMLError } from "yaml";
import * as z from "zod/mini";
import { describeIssue } from "@/lib/contract/describe-issue";
import { type BuiltIn, type Configuration, configurationFile } from "./configuration";
import { fillPlaceholders } from "./fill-placeholders";
import { findReferenceFaults } from "./find-reference-faults";
import { writePath } from "./write-path";

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
  if (!result.success || faults.length > 0) return { faults };
  const { providers = [], models = [], defaults, retention = {}, outputs } = result.data;
  const rateLimits = defaults?.rate_limits ?? {};
  const configuration = { providers, models, defaults: rateLimits, retention, ...(outputs && { outputs }) };
  return { configuration };
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

/** The name of an alias whose value contains itself, which no code that follows values would come to the end of. */
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
