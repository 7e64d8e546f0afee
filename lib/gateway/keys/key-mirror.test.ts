import { expect, test } from "bun:test";
import { KeyMirror } from "./key-mirror";
import type { AdminKeyRecord, ProjectKeyRecord } from "./key-store";

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
};
const adminKey: AdminKeyRecord = { ...keyFields, id: "key_a", hash: "a", roleId: "role_owner" };
const never = () => Promise.reject(new Error("not read"));

test("keys that were revoked unseen are refused, and their calls end, once everything is read again", async () => {
  const endedIds: string[] = [];
  const mirror = new KeyMirror({ projectKeys: [projectKey], adminKeys: [adminKey] }, (id) =>
    endedIds.push(id),
  );
  const { load } = mirror.following({
    listActive: async () => ({ projectKeys: [], adminKeys: [adminKey] }),
    findActiveProjectKey: never,
    findActiveAdminKey: never,
    listActiveByAccount: never,
  });
  await load();
  expect([mirror.find("p", 0), mirror.findById("key_p", 0), endedIds]).toEqual([
    undefined,
    undefined,
    ["key_p"],
  ]);
  expect(mirror.findAdminKey("key_a", 0)).toBe(adminKey);
});
