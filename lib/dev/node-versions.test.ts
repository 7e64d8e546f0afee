import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { semver } from "bun";

interface Package {
  readonly version?: string;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Package>;
};
const range = packages[""]?.engines?.node ?? "";
const oldest = `${range.replace(">=", "")}.0`;

test("the README and package.json name the same oldest Node.js, and the start checks it", () => {
  expect(range).toMatch(/^>=\d+\.\d+$/);
  expect(readFileSync("README.md", "utf8")).toContain(`Node.js ≥ ${range.slice(2)} `);
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as Package;
  expect(engines?.node).toBe(range);
});

// What runs on Bun alone may want a newer Node.js: take its "engines" out of the lock, as was done for openai.
test("npm ci warns of no package on the oldest Node.js", () => {
  const restrictedPackages = Object.entries(packages).flatMap(([name, { optional, engines }]) =>
    optional || !engines?.node || semver.satisfies(oldest, engines.node) ? [] : [`${name}: ${engines.node}`],
  );
  expect(restrictedPackages).toEqual([]);
});
