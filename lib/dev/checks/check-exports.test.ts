import { expect, test } from "bun:test";
import { findUnusedExports } from "@/lib/dev/checks/check-exports";

const DECLARING = "lib/gateway/keys/key.ts";

const findUnused = (source: string, ...importers: string[]) =>
  findUnusedExports(
    new Map([
      [DECLARING, source],
      ...importers.map((importer, at) => [`lib/gateway/keys/importer-${at}.ts`, importer] as const),
    ]),
  )
    .filter((fault) => fault.startsWith(DECLARING))
    .map((fault) => /exports (\w+),/.exec(fault)?.[1]);

test.each([
  ["function", "export function issue() {}"],
  ["asynchronous function", "export async function issue() {}"],
  ["generator", "export function* issue() {}"],
  ["class", "export abstract class issue {}"],
  ["constant", "export const issue = 1;"],
  ["destructured constant", "export const { key: issue } = read();"],
  ["type", "export type issue = string;"],
  ["interface", "export interface issue {}"],
  ["list", "const issue = 1;\nexport { issue };"],
  ["list of types", "type Key = string;\nexport type { Key as issue };"],
])("a %s that no other file imports is reported", (_, source) => {
  expect(findUnused(source)).toEqual(["issue"]);
  expect(findUnused(source, 'import { other } from "./key";')).toEqual(["issue"]);
  expect(findUnused(source, 'import { issue } from "./another-key";')).toEqual(["issue"]);
});

test.each([
  ["by name", 'import { issue } from "./key";'],
  ["from the root", 'import { issue } from "@/lib/gateway/keys/key";'],
  ["under another name", 'import { issue as create } from "./key";'],
  ["as a type among values", 'import {\n  // Why.\n  other,\n  type issue,\n} from "./key";'],
  ["as a type", 'import type { issue } from "./key";'],
  ["beside a default", 'import key, { issue } from "./key";'],
  ["to pass it on", 'export { issue } from "./key";'],
  ["with all of the file", 'import * as keys from "./key";'],
  ["to pass all on", 'export * from "./key";'],
  ["while running", 'import type { other } from "./key";\nconst { issue } = await import("./key");'],
])("what a file imports %s is not reported", (_, importer) => {
  expect(findUnused("export const issue = 1;", importer)).not.toContain("issue");
});

test("only the names that are missing are reported, whichever files import the others", () => {
  const source = "export const a = 1;\nexport const b = 1;\nexport const c = 1;\nexport default a;";
  expect(findUnused(source, 'import { a } from "./key";', 'import { b } from "./key";')).toEqual(["c"]);
});

test("a program's text in a template is no export", () => {
  expect(findUnused("export default `\nexport function issue() {}\n`;")).toEqual([]);
});

test("what Next.js and tools read by name is not reported", () => {
  const source = "export const metadata = {};";
  const paths = ["app/(console)/keys/page.tsx", "app/layout.tsx", "app/export/route.ts", "proxy.ts"];
  expect(findUnusedExports(new Map(paths.map((path) => [path, source])))).toEqual([]);
  expect(findUnusedExports(new Map([["app/(console)/keys/key-page.tsx", source]]))).toHaveLength(1);
});
