import type { Configuration, ConfigurationFile } from "../configuration/configuration";
import { isSame } from "./compare";

/** What the file sets otherwise than the one that the gateway was started with, and is read at start alone. */
export function findStartDifferences(file: ConfigurationFile, started: Configuration): string[] {
  const { defaults, retention, outputs } = started;
  const before = flatten({ defaults: { rate_limits: defaults }, retention, outputs: withoutKeys(outputs) });
  const after = flatten({
    defaults: file.defaults,
    retention: file.retention,
    outputs: withoutKeys(file.outputs),
  });
  const names = Object.keys(after).filter((name) => !isSame(after[name], before[name]));
  return names.map(
    (name) => `${name}: ${JSON.stringify(before[name] ?? null)} → ${JSON.stringify(after[name])}`,
  );
}

/** A plan has names of secrets in their place. */
function withoutKeys(outputs: ConfigurationFile["outputs"]): object | undefined {
  if (!outputs) return undefined;
  const { access_key_id: _id, secret_access_key: _key, session_token: _token, ...rest } = outputs;
  return rest;
}

function flatten(value: unknown, path: readonly string[] = []): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return path.length === 0 || value === undefined ? {} : { [path.join(".")]: value };
  const parts = Object.entries(value).map(([name, part]) => flatten(part, [...path, name]));
  return Object.assign({}, ...parts);
}
