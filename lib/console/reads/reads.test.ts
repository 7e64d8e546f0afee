import { expect, test } from "bun:test";
import { operations } from "@/lib/contract/operation-table";
import { findReadId } from "./find-read-id";
import { buildPagesKey, buildReadKey, buildReadUrl, type ReadId, readNouns } from "./reads";

test("every read is found by its noun, and nothing else by any word", () => {
  for (const [id, noun] of Object.entries(readNouns)) expect(findReadId(noun)).toBe(id as ReadId);
  for (const word of ["", "createProject", "listProjects", "constructor", "__proto__", "Projects"]) {
    expect(findReadId(word)).toBeUndefined();
  }
});

test("every browser read is a GET operation", () => {
  for (const id of Object.keys(readNouns) as ReadId[]) expect(operations[id].method).toBe("GET");
});

test("the key of a noun is the beginning of all its reads' keys, so that one invalidation reaches them", () => {
  const [noun] = buildReadKey("listLedger");
  expect(buildReadKey("listLedger", { kind: "charge" })[0]).toBe(noun);
  expect(buildPagesKey("listLedger", { kind: "charge" })[0]).toBe(noun);
  expect(buildReadKey("listLedger", { kind: undefined, model: "" })).toEqual(buildReadKey("listLedger"));
});

test("parameters travel encoded", () => {
  expect(buildReadUrl("listRateLimits", { project_id: "a b&c", after: undefined })).toBe(
    "/api/rate-limits?project_id=a+b%26c",
  );
});
