import { join, posix } from "node:path";
import { findImports } from "@/lib/dev/checks/parse-source";
import type { Check } from "@/lib/dev/checks/run-checks";
import type { Zone } from "@/lib/dev/checks/zone";
import { TEST_SUPPORT, TESTING_PROGRAMS, TESTS_MAY_IMPORT, ZONES } from "@/lib/dev/import-direction";

export const checkImports: Check = {
  name: "import direction",
  covers: (path) => /\.(tsx?|mjs|cjs|js)$/.test(path) && !path.startsWith("public/"),
  async run(paths) {
    const sources = await Promise.all(
      paths.map(async (path) => ({ path, source: await Bun.file(join(process.cwd(), path)).text() })),
    );
    const faults = sources.flatMap(({ path, source }) => findImportFaults(path, source));
    return { passed: faults.length === 0, faults: faults.join("\n"), filesRead: sources.length };
  },
};

/** One line for each import of `path` that points against the arrows in `import-direction.ts`. */
export function findImportFaults(path: string, source: string, zones: Zone[] = ZONES): string[] {
  const zone = findZone(path, zones);
  if (!zone) return [`${path} is in no zone: give its folder one in lib/dev/import-direction.ts`];
  return findImports(path, source).flatMap((specifier) => {
    const target = resolveOwn(path, specifier);
    const isAllowed =
      target === null ? mayUsePackage(zone, path, specifier) : mayImport(zone, path, target, zones);
    return isAllowed ? [] : [`${path} may not import ${specifier} (zone "${zone.path || "root"}")`];
  });
}

function findZone(path: string, zones: Zone[]): Zone | undefined {
  const candidates = zones.filter((zone) => {
    if (zone.path === "") return !path.includes("/");
    return isWithin(path, zone.path);
  });
  return candidates.toSorted((a, b) => b.path.length - a.path.length)[0];
}

function mayImport(zone: Zone, path: string, target: string, zones: Zone[]): boolean {
  if (isTestSupport(target) && !mayUseTestSupport(path)) return false;
  const targetZone = findZone(target, zones);
  if (targetZone === zone) return true;
  const allowedPaths = isTest(path) ? [...zone.mayImport, ...TESTS_MAY_IMPORT] : zone.mayImport;
  return allowedPaths.some((folder) => isWithin(target, folder));
}

function mayUsePackage(zone: Zone, path: string, specifier: string): boolean {
  if (isTest(path)) return true;
  const matches = (prefix: string) =>
    specifier === prefix || specifier.startsWith(prefix.endsWith(":") ? prefix : `${prefix}/`);
  if (zone.packages) return zone.packages.some(matches);
  return !zone.refusedPackages?.some(matches);
}

/** The file that an import refers to, relative to the root and without an added extension; null for a package. */
function resolveOwn(path: string, specifier: string): string | null {
  if (specifier.startsWith("@/")) return posix.normalize(specifier.slice(2));
  if (specifier.startsWith(".")) return posix.join(posix.dirname(path), specifier);
  return null;
}

function isWithin(path: string, folder: string): boolean {
  if (folder.endsWith("/*")) return posix.dirname(path) === folder.slice(0, -2);
  const stem = path.replace(/(\.test)?\.\w+$/, "");
  return path === folder || stem === folder || path.startsWith(`${folder}/`);
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || isTestSupport(path);
}

function isTestSupport(path: string): boolean {
  return path.split("/").includes(TEST_SUPPORT);
}

function mayUseTestSupport(path: string): boolean {
  return isTest(path) || TESTING_PROGRAMS.some((folder) => isWithin(path, folder));
}

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
