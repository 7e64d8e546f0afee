import type { Check } from "@/lib/dev/checks/run-checks";

const MAX_LINES = 400;
/** A state machine is read in one piece. */
const STATE_MACHINES = ["lib/gateway/calls/call.ts", "lib/gateway/http/outbound/http1/reply-parser.ts"];
const MAX_STATE_MACHINE_LINES = 600;
const MAX_COMMENT_COLUMNS = 120;
const MAX_COMMENT_LINES = 3;
const COMMENT = /^\s*(?:\/\*|\*|\/\/|\{\/\*|--|#)/;
const WHOLE_COMMENT = /^[ \t]*(?:\/\*[^]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*)/gm;
const COMMENT_MARKS = /^[ \t]*(?:\/\*+|\*\/|\*|\/\/)|\*\/$/g;
const SOURCE = /\.(tsx?|mjs|cjs|js|css|sql|sh)$/;

/** Checks the sizes and names of files. The linter checks the length of functions. */
export const checkSizesAndNames: Check = {
  name: "sizes and names",
  covers: () => true,
  async run(paths) {
    const faults: string[] = [];
    let filesRead = 0;
    for (const path of paths) {
      faults.push(...findPathFaults(path));
      if (SOURCE.test(path)) {
        const source = await Bun.file(path).text();
        faults.push(
          ...findSizeFaults(path, source),
          ...findLongComments(path, source),
          ...findTallComments(path, source),
          ...findWordFaults(path, source),
        );
      }
      filesRead += 1;
    }
    return { passed: faults.length === 0, faults: faults.join("\n"), filesRead };
  },
};

/** Counts every line, including blank lines and comments. */
export function findSizeFaults(path: string, source: string): string[] {
  const lines = source.trimEnd().split("\n").length;
  const max = STATE_MACHINES.includes(path) ? MAX_STATE_MACHINE_LINES : MAX_LINES;
  return lines > max ? [`${path} has ${lines} lines, at most ${max}`] : [];
}

/** The formatter wraps code, but not comments. The line that names a program's interpreter can't be wrapped. */
export function findLongComments(path: string, source: string): string[] {
  return source
    .split("\n")
    .flatMap((line, index) =>
      COMMENT.test(line) && !line.startsWith("#!") && line.length > MAX_COMMENT_COLUMNS
        ? [`${path}:${index + 1}: a comment has ${line.length} columns, at most ${MAX_COMMENT_COLUMNS}`]
        : [],
    );
}

/** Counts the lines of each comment up to its first tag, such as `@throws`, and without blank ones. */
export function findTallComments(path: string, source: string): string[] {
  return [...source.matchAll(WHOLE_COMMENT)].flatMap(({ 0: comment, index }) => {
    const [prose = ""] = comment.split(/^[ \t]*\*[ \t]*@/m, 1);
    const lines = prose.split("\n").filter((line) => line.replaceAll(COMMENT_MARKS, "").trim() !== "").length;
    if (lines <= MAX_COMMENT_LINES) return [];
    const at = source.slice(0, index).split("\n").length;
    return [`${path}:${at}: a comment has ${lines} lines, at most ${MAX_COMMENT_LINES}`];
  });
}

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
