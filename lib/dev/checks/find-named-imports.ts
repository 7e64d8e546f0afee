import { findImports } from "@/lib/dev/checks/find-imports";

// Relies on formatted sources, like `findImports`.
const NAMED = /^[ \t]*(?:import|export)\s(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s*from\s*["']([^"'\n]+)["']/gm;
const WHOLE =
  /^[ \t]*(?:import|export)\s(?:type\s+)?(?:\w+,\s*)?\*[^"';]*from\s*["']([^"'\n]+)["']|\b(?:import|require)\(\s*["']([^"'\n]+)["']/gm;

/**
 * Modules by specifier, each with the names that a source imports or passes on, or "all" if it imports the module
 * whole.
 */
export type NamedImports = Map<string, Set<string> | "all">;

/** `import * as`, `export *`, a dynamic import, and any form that this does not know import a module whole. */
export function findNamedImports(path: string, source: string): NamedImports {
  const imports: NamedImports = new Map();
  for (const [, names = "", specifier = ""] of source.matchAll(NAMED)) {
    const known = imports.get(specifier);
    imports.set(specifier, new Set([...(known instanceof Set ? known : []), ...readNames(names, "first")]));
  }
  for (const [, namespace, dynamic] of source.matchAll(WHOLE)) imports.set(namespace ?? dynamic ?? "", "all");
  for (const specifier of findImports(path, source)) {
    if (!imports.has(specifier)) imports.set(specifier, "all");
  }
  return imports;
}

/** The names between the braces of an import or export: of `a as b`, the first or the last. */
export function readNames(braces: string, side: "first" | "last"): string[] {
  return braces
    .replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "")
    .split(",")
    .map((part) => part.trim().replace(/^type\s+/, ""))
    .filter((part) => part !== "")
    .map((part) => part.split(/\s+as\s+/).at(side === "first" ? 0 : -1) ?? "");
}
