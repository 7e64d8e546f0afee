// Formatted source (the format check sees to that) begins every declaration on its own line.
const DECLARATION = /^[ \t]*(?:import|export)\s(?:[^"';]*?\sfrom\s*)?["']([^"'\n]+)["']/gm;
const CALL = /\b(?:import|require)\(\s*["']([^"'\n]+)["']/g;

/** Every module a source file imports, types included, in order of first appearance. */
export function findImports(source: string, loader: "ts" | "tsx" | "js" = "tsx"): string[] {
  const found = new Set<string>();
  for (const pattern of [DECLARATION, CALL]) {
    for (const match of source.matchAll(pattern)) if (match[1]) found.add(match[1]);
  }
  // The parser drops imports of types, the patterns might miss an odd spelling: what either sees counts.
  for (const { path } of new Bun.Transpiler({ loader }).scanImports(source)) found.add(path);
  return [...found];
}
