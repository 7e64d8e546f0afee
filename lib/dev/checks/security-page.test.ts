import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../../..");
const page = readFileSync(join(root, "SECURITY.md"), "utf8");

/** How many requirements of levels 1 and 2 each section of OWASP ASVS 5.0.0 has; they are numbered from 1. */
const requirementsBySection: Readonly<Record<string, readonly number[]>> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};

test("every requirement of levels 1 and 2 is in the table once", () => {
  const listed = page
    .slice(page.indexOf("## OWASP ASVS"))
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .flatMap((line) => line.split("|")[1]?.match(/(?<![\d.])\d+\.\d+\.\d+(?![\d.])/g) ?? []);
  const required = Object.entries(requirementsBySection).flatMap(([chapter, counts]) =>
    counts.flatMap((count, section) =>
      Array.from({ length: count }, (_, index) => `${chapter}.${section + 1}.${index + 1}`),
    ),
  );
  expect(required).toHaveLength(253);
  expect(listed.toSorted()).toEqual(required.toSorted());
});

test("every file and folder that is named exists", () => {
  const namedFiles = [
    ...page.matchAll(/`((?:app|components|lib|e2e|public)\/[^`]*|[\w-]+\.(?:ts|json|md))`/g),
  ];
  const missingFiles = namedFiles
    .map(([, path = ""]) => path)
    .filter((path) => !existsSync(join(root, path)));
  expect(namedFiles.length).toBeGreaterThan(100);
  expect(missingFiles).toEqual([]);
});
