import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { DOMAINS, ZONES } from "@/lib/dev/import-direction";

const readme = await Bun.file("lib/gateway/README.md").text();
const consoleReadme = await Bun.file("lib/console/README.md").text();
const testsReadme = await Bun.file("e2e/README.md").text();
const contributing = await Bun.file("CONTRIBUTING.md").text();

function listFolders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "testing")
    .map(({ name }) => name);
}

/** The folders in the first column of the table below a header. */
function readFolders(text: string, header: string): string[] {
  const [table = ""] = text.slice(text.indexOf(header)).split("\n\n", 1);
  const cells = table.split("\n").map((row) => row.split("|")[1] ?? "");
  return [
    ...cells
      .slice(1)
      .join()
      .matchAll(/`([a-z-]+)\/`/g),
  ].map(([, name = ""]) => name);
}

test.each([
  ["lib/gateway", "| folder | question"],
  ["lib/gateway/database", "| in `store/` |"],
  ["lib/gateway/calls", "| folder in `completions/` |"],
])("the README lists the folders of %s, and no others", (path, header) => {
  expect(readFolders(readme, header).toSorted()).toEqual(listFolders(path).toSorted());
});

test("the contract's README names each of its files", async () => {
  const text = await Bun.file("lib/contract/README.md").text();
  const named = [...text.matchAll(/`([a-z-]+\.ts)`/g)].map(([, name = ""]) => name);
  const files = ["lib/contract", "lib/contract/access", "lib/contract/calls"]
    .flatMap((path) => readdirSync(path))
    .filter((name) => /^[a-z-]+\.ts$/.test(name));
  expect(named.toSorted()).toEqual(files.toSorted());
});

test("operations and routes have the same areas", () => {
  expect(listFolders("lib/contract/operations").toSorted()).toEqual(
    listFolders("lib/gateway/routes").toSorted(),
  );
});

test("the console's README lists the rooms of app, and no others", () => {
  const rooms = listFolders("app").filter((name) => name !== "api" && !name.startsWith("("));
  expect(readFolders(consoleReadme, "| room in `app/` |").toSorted()).toEqual(rooms.toSorted());
});

test("the console's README lists the folders of components, and no others", () => {
  const folders = readFolders(consoleReadme, "| folder in `components/` |");
  expect(folders.toSorted()).toEqual(listFolders("components").toSorted());
});

test.each([
  ["e2e/support", "| folder of `support` |"],
  ["e2e/chaos/scenarios", "| folder of `chaos/scenarios` |"],
])("the README of the tests lists the folders of %s, and no others", (path, header) => {
  expect(readFolders(testsReadme, header).toSorted()).toEqual(listFolders(path).toSorted());
});

test("each room, each screen and each folder of components has its zone", () => {
  const zones = new Set(ZONES.map(({ path }) => path));
  const folders = [
    ...listFolders("app").map((name) => `app/${name}`),
    ...listFolders("app/(console)").map((name) => `app/(console)/${name}`),
    ...listFolders("components").map((name) => `components/${name}`),
  ];
  expect(folders.filter((folder) => folder !== "app/api" && !zones.has(folder))).toEqual([]);
  expect([...zones].filter((zone) => zone.startsWith("app/") && !existsSync(zone))).toEqual([]);
});

test("the architecture shows every folder that isn't one of the domains", () => {
  const architecture = contributing.slice(
    contributing.indexOf("## Architecture"),
    contributing.indexOf("## Terms"),
  );
  const shared = listFolders("lib").filter((name) => !["decisions", "dev", "gateway"].includes(name));
  const layers = listFolders("lib/gateway").filter((name) => !DOMAINS.includes(`lib/gateway/${name}`));
  const absent = [...shared.map((name) => `lib/${name}`), ...layers].filter(
    (name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(architecture),
  );
  expect(absent).toEqual([]);
});
