import { writePath } from "./write-path";

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces `${NAME}` in texts with environment variables. It runs after parsing, so a value can't change the file's
 * structure.
 */
export function fillPlaceholders(
  value: unknown,
  environment: Environment,
): { value: unknown; faults: string[] } {
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
