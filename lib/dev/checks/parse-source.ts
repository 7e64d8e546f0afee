import type { Import } from "bun";

interface ParsedSource {
  readonly source: string;
  /** Without the imports of types, which the parser drops. */
  readonly imports: readonly Import[];
  /** The names of exported values. */
  readonly exports: readonly string[];
}

const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  tsx: new Bun.Transpiler({ loader: "tsx" }),
  js: new Bun.Transpiler({ loader: "js" }),
};
const parsedSources = new Map<string, ParsedSource>();

/** Parses a source file once, though several checks ask for it. */
export function parseSource(path: string, source: string): ParsedSource {
  const known = parsedSources.get(path);
  if (known?.source === source) return known;
  const loader = path.endsWith("x") ? "tsx" : path.endsWith("ts") ? "ts" : "js";
  const parsed = { source, ...transpilers[loader].scan(source) };
  parsedSources.set(path, parsed);
  return parsed;
}

// Relies on formatted sources, in which every declaration begins on its own line.
const DECLARATION = /^[ \t]*(?:import|export)\s(?:[^"';]*?\sfrom\s*)?["']([^"'\n]+)["']/gm;
const CALL = /\b(?:import|require)\(\s*["']([^"'\n]+)["']/g;

/** Every module a source file imports, types included, in order of first appearance. */
export function findImports(path: string, source: string): string[] {
  const specifiers = new Set<string>();
  for (const pattern of [DECLARATION, CALL]) {
    for (const match of source.matchAll(pattern)) if (match[1]) specifiers.add(match[1]);
  }
  // The parser drops type imports and the patterns might miss an unusual form, so the results are combined.
  for (const imported of parseSource(path, source).imports) specifiers.add(imported.path);
  return [...specifiers];
}

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
