import { expect, test } from "bun:test";
import { KeyCache } from "./key-cache";
import type { AdminKeyRecord, ProjectKeyRecord } from "./key-records";

const keyFields = { name: "Key", userAgent: null, createdAtMs: 0, lastFour: "abcd", expiresAtMs: null };
const projectKey: ProjectKeyRecord = {
  ...keyFields,
  id: "key_p",
  hash: "p",
  projectId: "proj_1",
  serviceAccount: null,
  scope: { models: null, endpoints: null },
  creator: null,
  rotatedFrom: null,
  replacedAtOnce: false,
};
const adminKey: AdminKeyRecord = { ...keyFields, id: "key_a", hash: "a", roleId: "role_owner" };
const never = () => Promise.reject(new Error("not read"));

test("an expired key has a successor where it was rotated, as far as none is revoked", () => {
  const rotated = { ...projectKey, expiresAtMs: 10 };
  const second = { ...projectKey, id: "key_2", hash: "2", rotatedFrom: "key_p", expiresAtMs: 20 };
  const third = { ...projectKey, id: "key_3", hash: "3", rotatedFrom: "key_2" };
  const openCache = (...projectKeys: ProjectKeyRecord[]) => new KeyCache({ projectKeys, adminKeys: [] });
  const cache = openCache(rotated, second, third);
  expect([5, 10, 20].map((nowMs) => cache.findPresent("key_p", nowMs)?.key.id)).toEqual([
    "key_p",
    "key_2",
    "key_3",
  ]);
  expect(openCache(rotated, third).findPresent("key_p", 20)).toBeUndefined();
  expect(openCache(second, third).findPresent("key_p", 20)).toBeUndefined();
  expect(openCache(rotated).findPresent("key_p", 20)).toBeUndefined();
});

test("a key that was rotated without overlap has its successor, over further rotations, until that is revoked", () => {
  const second = { ...projectKey, id: "key_2", hash: "2", rotatedFrom: "key_p", replacedAtOnce: true };
  const third = { ...projectKey, id: "key_3", hash: "3", rotatedFrom: "key_2", replacedAtOnce: true };
  const replaced = [
    { id: "key_p", successorId: "key_2" },
    { id: "key_2", successorId: "key_3" },
  ];
  const cache = new KeyCache({ projectKeys: [third], adminKeys: [], replaced });
  expect(cache.findPresent("key_p", 0)).toMatchObject({ key: third });
  expect(cache.rotationChain("key_3")).toEqual(["key_3", "key_2", "key_p"]);
  const unrevoked = new KeyCache({ projectKeys: [second], adminKeys: [], replaced: replaced.slice(0, 1) });
  expect(unrevoked.findPresent("key_p", 0)).toMatchObject({ key: second });
  expect(new KeyCache({ projectKeys: [], adminKeys: [], replaced }).findPresent("key_p", 0)).toBeUndefined();
});

test("keys that were revoked unseen are refused, and their calls end, once everything is read again", async () => {
  const endedIds: string[] = [];
  const cache = new KeyCache({ projectKeys: [projectKey], adminKeys: [adminKey] }, (id) => endedIds.push(id));
  const { load } = cache.following({
    listActive: async () => ({ projectKeys: [], adminKeys: [adminKey] }),
    listReplaced: async () => [],
    findActiveProjectKey: never,
    findActiveAdminKey: never,
    listActiveByAccount: never,
  });
  await load();
  expect([cache.find("p", 0), cache.findById("key_p", 0), endedIds]).toEqual([
    undefined,
    undefined,
    ["key_p"],
  ]);
  expect(cache.findAdminKey("key_a", 0)).toBe(adminKey);
});
