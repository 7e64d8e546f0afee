import { NEXT_FILE, resolveImport } from "@/lib/dev/checks/check-exports";
import { findNamedImports, parseSource } from "@/lib/dev/checks/parse-source";
import type { Check } from "@/lib/dev/checks/run-checks";

const FOR_BROWSERS = /^"use client"/;
const ACTIONS = /^"use server"/;
const COMPONENT = /^[A-Z][a-z]/;

/**
 * What the console's server runs takes only components from a module of the browser: Next.js hands it a reference in
 * place of everything else, which fails when a page is opened, and which types can't see.
 * @see https://react.dev/reference/rsc/use-client
 */
export const checkBrowserModules: Check = {
  name: "direction into the browser",
  covers: (path) => /^(app|components|lib)\/.+\.tsx?$/.test(path),
  async run(paths) {
    const sources = new Map<string, string>();
    await Promise.all(paths.map(async (path) => sources.set(path, await Bun.file(path).text())));
    const faults = findBrowserCalls(sources);
    return { passed: faults.length === 0, faults: faults.join("\n"), filesRead: sources.size };
  },
};

/** One line for each value that a server's module, of the sources by path, imports from one of the browser. */
export function findBrowserCalls(sources: Map<string, string>): string[] {
  const waiting = [...sources.keys()].filter((path) => isServerEntry(path, sources.get(path) ?? ""));
  const seen = new Set(waiting);
  const faults: string[] = [];
  for (const path of waiting) {
    const source = sources.get(path) ?? "";
    const names = findNamedImports(path, source);
    for (const { path: specifier } of parseSource(path, source).imports) {
      const target = resolveImport(path, specifier, sources);
      if (target === undefined) continue;
      if (FOR_BROWSERS.test(sources.get(target) ?? "")) {
        const values = listValues(names.get(specifier), target, sources.get(target) ?? "");
        faults.push(
          ...values.map(
            (name) => `${path} runs on the server and takes ${name} from ${target}, of the browser`,
          ),
        );
      } else if (!seen.has(target)) {
        seen.add(target);
        waiting.push(target);
      }
    }
  }
  return faults.toSorted();
}

function isServerEntry(path: string, source: string): boolean {
  return (NEXT_FILE.test(path) && !FOR_BROWSERS.test(source)) || ACTIONS.test(source);
}

/** The imported names that are values and no components. A module that is loaded whole is that of a lazy component. */
function listValues(names: Set<string> | "all" | undefined, path: string, source: string): string[] {
  if (!names || names === "all") return [];
  const values = parseSource(path, source).exports;
  return [...names].filter((name) => values.includes(name) && !COMPONENT.test(name));
}
