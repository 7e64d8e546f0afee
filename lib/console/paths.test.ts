import { expect, test } from "bun:test";
import { Glob } from "bun";
import fc from "fast-check";
import { paths, safeNext } from "./paths";

const home = paths.overview();
const origin = "https://console.example";

test.each(["/roles", "/rate-limits?model=gpt-5-mini", "/ledger?kind=charge&model=a%2Fb", "/roles/role_1"])(
  "after sign-in one returns to %s",
  (next) => expect(safeNext(next)).toBe(next),
);

test.each([
  "https://evil.example/",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/..//evil.example",
  "/.//evil.example",
  "/%2e%2e//evil.example",
  "/roles/../..//evil.example",
  "javascript:alert(1)",
  " /roles",
  "roles",
  "",
  null,
  undefined,
  "/sign-in",
  "/sign-in?next=/sign-in",
  "/sign-in/answer?code=1",
  "/invite",
  "/new-password?x=1",
  "/forgot-password/",
  "/api/me",
  "/roles/../api/me",
  "/_next/static/x.js",
])("%p leads to the overview", (next) => expect(safeNext(next)).toBe(home));

test("keeps the browser on this origin for any requested address", () => {
  const piece = fc.constantFrom(
    "/",
    "\\",
    "//",
    ".",
    "..",
    "@",
    ":",
    "%2f",
    "%5c",
    "\t",
    "\n",
    " ",
    "#",
    "?",
    "evil.example",
    "https:",
    "javascript:",
    "x",
  );
  const hostile = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(
      fc.oneof(
        hostile,
        hostile.map((path) => `/${path}`),
        fc.string(),
        fc.webUrl(),
      ),
      (next) => {
        const target = safeNext(next);
        expect(new URL(target, `${origin}/sign-in`).origin).toBe(origin);
        expect(target.startsWith("//")).toBe(false);
        expect(safeNext(target)).toBe(target);
      },
    ),
    { numRuns: 5_000 },
  );
});

test("an id in a path stays one segment", () => {
  expect(paths.role("a/../b?c")).toBe("/roles/a%2F..%2Fb%3Fc");
});

test("screens and the shell write no address of the console by hand", async () => {
  const pages = [...new Glob("{(console),(auth)}/*/**/page.tsx").scanSync("app")].map(
    (path) => path.split("/")[1],
  );
  const written = new RegExp(`["\`}]/(?:${[...new Set(pages)].join("|")})(?=["\`/?#$])[^"\`]*`, "g");
  const sources = [...new Glob("{app,components}/**/*.{ts,tsx}").scanSync(".")].filter(
    (path) => !/\.test\.|\/testing\//.test(path),
  );
  const found = await Promise.all(
    sources.map(async (path) =>
      [...(await Bun.file(path).text()).matchAll(written)].map(([address]) => `${path}: ${address}`),
    ),
  );
  expect(sources.length).toBeGreaterThan(500);
  expect(found.flat()).toEqual([]);
});
