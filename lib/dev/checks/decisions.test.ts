import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";

const FOLDER = "lib/decisions";
const SECTIONS = ["Decided", "Because", "Rejected", "Tested by"];

const all = [...new Glob("*.md").scanSync(FOLDER)].filter((name) => name !== "README.md").toSorted();
const sources = await Promise.all(
  all.map(async (name) => ({ name, text: await Bun.file(join(FOLDER, name)).text() })),
);
const files = [...new Glob("{app,components,e2e,lib}/**/*.{ts,tsx}").scanSync(".")];

test("each decision has the same sections in the same order", () => {
  const faults = sources.flatMap(({ name, text }) => {
    const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title);
    const isOrdered = titles.join() === SECTIONS.filter((title) => titles.includes(title)).join();
    const isWhole = SECTIONS.every((title) => title === "Rejected" || titles.includes(title));
    return isOrdered && isWhole ? [] : [`${name}: ${titles.join(", ")}`];
  });
  expect(faults).toEqual([]);
});

test("each decision is in the list", async () => {
  const list = await Bun.file(join(FOLDER, "README.md")).text();
  expect(all.filter((name) => !list.includes(`](${name})`))).toEqual([]);
});

test("the files that a decision names exist", () => {
  const missingFiles = sources.flatMap(({ name, text }) => {
    const namedFiles = text.matchAll(/`([^`\s<>]+\.tsx?)`/g);
    return [...namedFiles].flatMap(([, path = ""]) => {
      const pattern = new Glob(`{**/,}${path}`);
      return files.some((file) => pattern.match(file)) ? [] : [`${name}: ${path}`];
    });
  });
  expect(missingFiles).toEqual([]);
});
