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
