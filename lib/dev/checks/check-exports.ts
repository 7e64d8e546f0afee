import { posix } from "node:path";
import { findNamedImports, type NamedImports, parseSource, readNames } from "@/lib/dev/checks/parse-source";
import type { Check } from "@/lib/dev/checks/run-checks";

const SOURCE = /\.(tsx?|mjs|cjs|js)$/;
const TYPE = /^export (?:declare )?(?:type|interface) (\w+)/gm;
const TYPE_LIST = /^export type \{([^}]*)\}/gm;

// Next.js reads the exports of these by name: https://nextjs.org/docs/app/api-reference/file-conventions
export const NEXT_FILE =
  /^app\/(?:.*\/)?(?:page|layout|template|route|loading|error|global-error|not-found|forbidden|unauthorized|default|icon|apple-icon|opengraph-image|twitter-image|manifest|robots|sitemap)\.tsx?$/;

/**
 * Every named export is imported by another file, tests included, or its `export` is dropped. That holds for types too,
 * since a function can be called without the name of its result. Default exports and what tools read by name are left
 * out: the pages of Next.js and the files of the root (configuration, `proxy.ts`, `instrumentation.ts`).
 */
export const checkExports: Check = {
  name: "unused exports",
  covers: (path) => SOURCE.test(path) && !path.startsWith("public/"),
  async run(paths) {
    const sources = new Map<string, string>();
    await Promise.all(paths.map(async (path) => sources.set(path, await Bun.file(path).text())));
    const faults = findUnusedExports(sources);
    return { passed: faults.length === 0, faults: faults.join("\n"), filesRead: sources.size };
  },
};

/** One line for each named export, of the sources by path, that no other of them imports. */
export function findUnusedExports(sources: Map<string, string>): string[] {
  const used: NamedImports = new Map();
  for (const [path, source] of sources) {
    for (const [specifier, names] of findNamedImports(path, source)) {
      const target = resolveImport(path, specifier, sources);
      if (target !== undefined && target !== path) addNames(used, target, names);
    }
  }
  return [...sources].toSorted().flatMap(([path, source]) => {
    const names = used.get(path) ?? new Set();
    if (names === "all" || isReadByTool(path)) return [];
    return findExports(path, source)
      .filter((name) => !names.has(name))
      .map((name) => `${path} exports ${name}, which no other file imports`);
  });
}

function addNames(used: NamedImports, path: string, names: Set<string> | "all"): void {
  const known = used.get(path) ?? new Set();
  used.set(path, known === "all" || names === "all" ? "all" : new Set([...known, ...names]));
}

function isReadByTool(path: string): boolean {
  return !path.includes("/") || NEXT_FILE.test(path);
}

function findExports(path: string, source: string): string[] {
  // The parser knows the values, also beside code in a template literal, and drops the types.
  const values = parseSource(path, source).exports;
  const types = [...source.matchAll(TYPE)].map(([, name = ""]) => name);
  const listed = [...source.matchAll(TYPE_LIST)].flatMap(([, names = ""]) => readNames(names, "last"));
  return [...new Set([...values, ...types, ...listed])].filter((name) => name !== "default");
}

/** The path of the own file among `sources` that an import of `path` names; undefined for a package. */
export function resolveImport(
  path: string,
  specifier: string,
  sources: Map<string, string>,
): string | undefined {
  const stem = specifier.startsWith("@/")
    ? posix.normalize(specifier.slice(2))
    : specifier.startsWith(".")
      ? posix.join(posix.dirname(path), specifier)
      : undefined;
  if (stem === undefined) return undefined;
  const endings = ["", ".ts", ".tsx", ".d.ts", ".mjs", ".js", ".cjs", "/index.ts"];
  return endings.map((ending) => stem + ending).find((candidate) => sources.has(candidate));
}
