import { posix } from "node:path";
import { findImports } from "@/lib/dev/checks/find-imports";

type Source = { readonly path: string; readonly source: string };

const SHARED = /^components\/.+\.tsx?$/;
const SCREEN = /^app\/\([a-z]+\)\/[^/]+(?=\/)/;
const TEST = /\.(?:test|spec)\.tsx?$|\/testing\/|^e2e\//;

/**
 * Returns the files of `components` that code of a single screen imports and no other code, each with the
 * screen that they belong beside. Tests don't count as users.
 */
export function findFilesOfOneScreen(sources: readonly Source[]): Record<string, string> {
  const production = sources.filter(({ path }) => /\.tsx?$/.test(path) && !TEST.test(path));
  const paths = new Set(production.map(({ path }) => path));
  const users = new Map<string, Set<string>>();
  for (const { path, source } of production) {
    for (const specifier of findImports(path, source)) {
      const stem = specifier.startsWith("@/")
        ? specifier.slice(2)
        : posix.join(posix.dirname(path), specifier);
      const target = [`${stem}.ts`, `${stem}.tsx`].find((file) => paths.has(file));
      if (target) users.set(target, (users.get(target) ?? new Set()).add(SCREEN.exec(path)?.[0] ?? "shared"));
    }
  }
  const ofOneScreen = [...users].flatMap(([path, [user = "shared", ...others]]) =>
    SHARED.test(path) && others.length === 0 && user !== "shared" ? [[path, user] as const] : [],
  );
  return Object.fromEntries(ofOneScreen);
}
