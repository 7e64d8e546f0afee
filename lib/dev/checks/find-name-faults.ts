const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
/** Next.js writes groups `(auth)`, parameters `[project]` and `[...path]` around a name. */
const NEXT_FOLDER = /^(?:\(([a-z-]+)\)|\[(?:\.\.\.)?([a-z-]+)\])$/;

/** Names that programs look for: people, builders of images, Helm. */
const FIXED_NAMES = ["README.md", "Containerfile", "Chart.yaml", "_helpers.tpl"];

const EMPTY_NAMES = ["utils", "util", "helpers", "helper", "common", "types", "manager", "misc", "index"];
/** The preferred word for each synonym. */
const SYNONYMS: Record<string, string> = {
  workspace: "organization or project",
  credit: "balance",
  credits: "balance",
  wallet: "balance",
};

/** The faults of a file's path: its spelling and its words. */
export function findPathFaults(path: string): string[] {
  const segments = path.split("/");
  const faults: string[] = [];
  if (segments.length === 1 && !path.endsWith(".ts")) return faults;
  for (const segment of segments) {
    if (segment.startsWith(".") || FIXED_NAMES.includes(segment)) continue;
    const name = NEXT_FOLDER.exec(segment)?.slice(1).find(Boolean) ?? segment;
    if (!KEBAB.test(name)) faults.push(`${path}: "${segment}" is not kebab-case`);
    const stem = name.split(".")[0] ?? name;
    if (EMPTY_NAMES.includes(stem)) faults.push(`${path}: "${stem}" says nothing about what is in it`);
    faults.push(...synonymsIn(stem).map((fault) => `${path}: ${fault}`));
  }
  return faults;
}

/** Names declared in a source file that use a synonym. */
export function findWordFaults(path: string, source: string): string[] {
  const declarations = source.matchAll(
    /\b(?:const|let|function|class|type|interface|enum)\s+([A-Za-z_$][\w$]*)/g,
  );
  return [...declarations].flatMap((match) => {
    const words = (match[1] ?? "")
      .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
      .toLowerCase()
      .replaceAll("_", "-");
    return synonymsIn(words).map((fault) => `${path}: ${match[1]}: ${fault}`);
  });
}

function synonymsIn(kebab: string): string[] {
  return kebab
    .split("-")
    .filter((word) => Object.hasOwn(SYNONYMS, word))
    .map((word) => `say ${SYNONYMS[word]} instead of "${word}"`);
}
