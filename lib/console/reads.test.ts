import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { operations } from "@/lib/contract/operation-table";
import { pagesKey, type ReadId, readKey, readNouns, readUrl } from "./reads";

test("every read has its route, and every route its read", async () => {
  const api = join(import.meta.dir, "../../app/api");
  expect((await readdir(api)).toSorted()).toEqual(Object.values(readNouns).toSorted());
  for (const [id, noun] of Object.entries(readNouns)) {
    expect(await readFile(join(api, noun, "route.ts"), "utf8")).toContain(`apiRoute("${id}")`);
  }
});

test("what the browser may repeat changes nothing", () => {
  for (const id of Object.keys(readNouns) as ReadId[]) expect(operations[id].method).toBe("GET");
});

test("the key of a noun is the beginning of all its reads' keys, so that one invalidation reaches them", () => {
  const [noun] = readKey("listLedger");
  expect(readKey("listLedger", { kind: "charge" })[0]).toBe(noun);
  expect(pagesKey("listLedger", { kind: "charge" })[0]).toBe(noun);
  expect(readKey("listLedger", { kind: undefined, model: "" })).toEqual(readKey("listLedger"));
});

test("parameters travel encoded", () => {
  expect(readUrl("listRateLimits", { project_id: "a b&c", after: undefined })).toBe(
    "/api/rate-limits?project_id=a+b%26c",
  );
});
