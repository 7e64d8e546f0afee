import { expect, test } from "bun:test";
import { listFiles } from "@/lib/dev/list-files";

const DOCSTRING = /\/\*\*(?:(?!\*\/)[^])*\*\//g;
/** The characters after a docstring in which a signature, with docstrings of its own, names each parameter. */
const SIGNATURE_LENGTH = 900;

function findUnknownParameters(source: string): string[] {
  return [...source.matchAll(DOCSTRING)].flatMap(({ 0: docstring, index }) => {
    const start = index + docstring.length;
    const signature = source.slice(start, start + SIGNATURE_LENGTH);
    return [...docstring.matchAll(/@param (\w+)/g)].flatMap(([, name = ""]) =>
      new RegExp(`\\b${name}\\b`).test(signature) ? [] : [name],
    );
  });
}

test("finds a parameter that the code below no longer has", () => {
  const source = "/** @param text what to read. */\nfunction read(words: string) {}";
  expect(findUnknownParameters(source)).toEqual(["text"]);
  expect(findUnknownParameters(source.replace("words", "text"))).toEqual([]);
});

test("a docstring names parameters that the code below it has", async () => {
  const sources = (await listFiles()).filter(
    (path) => /\.tsx?$/.test(path) && !path.endsWith(import.meta.file),
  );
  const faults: string[] = [];
  for (const path of sources)
    for (const name of findUnknownParameters(await Bun.file(path).text())) faults.push(`${path}: ${name}`);
  expect(faults).toEqual([]);
});
