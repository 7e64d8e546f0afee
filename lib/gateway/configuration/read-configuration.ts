import { parseDocument } from "yaml";
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
  const document = parseDocument(yaml, { logLevel: "silent" });
  if (document.errors.length > 0) {
    return {
      faults: document.errors.map(({ message, linePos }) => {
        const [reason = ""] = message.split(/ at line |\n/);
        return `line ${linePos?.[0].line ?? 1}: ${reason}`;
      }),
    };
  }
  try {
    return { value: document.toJS() };
  } catch (error) {
    // An alias without its anchor, or an excessive number of aliases.
    return { faults: [error instanceof Error ? error.message : "can't be read"] };
  }
}

function describeFault(issue: z.core.$ZodIssue): string {
  const path = writePath(issue.path) || "the file";
  const isBareNumber =
    issue.code === "invalid_type" && issue.expected === "string" && typeof issue.input === "number";
  return `${path} ${isBareNumber ? "must be text: write the number in quotes" : issue.message}`;
}
