import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { listHeadings } from "@/lib/console/guide";
import { listFiles } from "@/lib/dev/list-files";

/** Of OpenTelemetry's library, and of nginx. */
const NAMES_OF_OTHERS = ["OTEL_EXPORTER_OTLP_HEADERS", "limit_conn_zone", "limit_conn", "limit_conn_status"];

const all = await listFiles();
const guides = all.filter(
  (path) =>
    /(^|\/)(README|CONTRIBUTING|SECURITY)\.md$|^(app\/guide|lib\/dev\/recipes|lib\/decisions)\//.test(path) &&
    path.endsWith(".md"),
);
const pages = all.filter((path) => path.endsWith(".md"));
const texts = await Promise.all(pages.map(async (path) => [path, await Bun.file(path).text()] as const));
const folders = new Set(
  all.flatMap((path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))),
);
const places = [...all, ...folders].map((path) => `/${path}`);
const sources = await Promise.all(
  all
    .filter((path) => /\.(tsx?|cjs)$|^package\.json$/.test(path) && !path.endsWith(import.meta.file))
    .map((path) => Bun.file(path).text()),
);
const source = sources.join("\n");
const words = new Set(source.match(/[\w$]+(?:-[\w$]+)*/g));

/** Also matches names of packages and media types. An address of the API begins with a slash. */
const PATH = /^[\w.()[\]*<>@-]+(?:\/[\w.()[\]*<>-]+)+\/?$|^[\w.*<>-]+\.(?:tsx?|md|json|cjs)$|^[\w-]+\/$/;
const FILE_NAME = /^[a-z\d]+(?:-[a-z\d]+)+$/;
/** Of several words. */
const IDENTIFIER = /^[A-Za-z][\w$]*(?:[a-z][A-Z]|_)[\w$]*$/;

/** Whether a file or folder has the path at its end, with or without `.ts`. `<noun>` and `*` stand for any name. */
function isPlace(path: string): boolean {
  const pattern = path
    .replace(/\/$/, "")
    .replaceAll(/[.()[\]]/g, "\\$&")
    .replaceAll(/<\w+>|\*/g, "[^/]+");
  const ending = new RegExp(`/${pattern}(?:\\.tsx?)?$`);
  return places.some((place) => ending.test(place));
}

function isKnown(name: string): boolean {
  if (PATH.test(name)) return isPlace(name) || source.includes(`"${name}"`);
  if (FILE_NAME.test(name)) return words.has(name) || isPlace(name);
  return !IDENTIFIER.test(name) || words.has(name) || NAMES_OF_OTHERS.includes(name);
}

function removeCode(text: string): string {
  return text.replaceAll(/```[^]*?```/g, "");
}

function findUnknownNames(text: string): string[] {
  const names = [...removeCode(text).matchAll(/`([^`]+)`/g)].map(([, quoted = ""]) => {
    // Of a call or an element, such as `signIn(page)` or `<Form>`, only its name.
    const [, name = quoted] = /^<?(\w+)(?:[ >(].*)?$/.exec(quoted) ?? [];
    return name;
  });
  return names.filter((name) => !isKnown(name));
}

test("finds paths, files and identifiers that there aren't", () => {
  expect(
    findUnknownNames(
      "`lib/dev/checks/`, `lib/<area>/`, `run-checks`, `listFiles(of, all)`, `<Form>` and `sandbox`",
    ),
  ).toEqual([]);
  const gone = ["lib/dev/no-checks/", "no-checks.ts", "run-no-checks", "listNoFiles", "NoForm"];
  expect(findUnknownNames(gone.map((name) => `\`${name}\``).join())).toEqual(gone);
});

test.each(guides)("%s names only what there is", async (path) => {
  expect(findUnknownNames(await Bun.file(path).text())).toEqual([]);
});

test("each script that a page runs is in package.json", async () => {
  const { scripts } = (await Bun.file("package.json").json()) as { scripts: object };
  const run = texts.flatMap(([, text]) => [...text.matchAll(/npm run ([a-z][\w:-]*)/g)]);
  const names = run.map(([, name = ""]) => name);
  expect(new Set(names).size).toBeGreaterThan(15);
  expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test("each link from page to page leads to a heading or a file", async () => {
  const faults: string[] = [];
  for (const [page, text] of texts)
    for (const [, path = "", heading] of removeCode(text).matchAll(
      /\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g,
    )) {
      const target = Bun.file(path === "" ? page : join(dirname(page), path));
      const isThere = heading
        ? listHeadings(await target.text()).some(({ anchor }) => anchor === heading)
        : await target.exists();
      if (!isThere) faults.push(`${page}: ${path}#${heading ?? ""}`);
    }
  expect(faults).toEqual([]);
});
