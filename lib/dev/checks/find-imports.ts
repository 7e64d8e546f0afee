import { parseSource } from "@/lib/dev/checks/parse-source";

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
