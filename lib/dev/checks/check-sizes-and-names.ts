import type { Check } from "@/lib/dev/checks/check";
import { findPathFaults, findWordFaults } from "@/lib/dev/checks/find-name-faults";

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
