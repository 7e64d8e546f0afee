import { expect, test } from "bun:test";
import fc from "fast-check";
import * as z from "zod/mini";
import { appliesInProject } from "./access-table";
import { describeIssue } from "./describe-issue";
import { newId, rateLimitId, readRateLimitModel } from "./ids";
import { findRetrieveOperation, operationTable } from "./operation-table";
import { roleDraft } from "./operations/roles";
import { isPermission, type Permission, permissions, projectPermissions } from "./permissions";
import { ownerRole, predefinedRoles } from "./predefined-roles";
import { decimal, pageQuery, positiveDecimal } from "./schema";
import { crc32, findKeyKind, newSecretKey, redactKey } from "./secret-keys";
import { findVersionedFields } from "./version";

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

test("an id made later sorts later, and none comes twice", () => {
  const times = [0, 1, 31, 32, 1_800_000_000_000, 2 ** 48 - 1];
  const ids = times.map((time) => newId("proj", time, random));
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^proj_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(new Set(Array.from({ length: 1000 }, () => newId("req", 1, random))).size).toBe(1000);
  expect(newId("key", 1, () => new Uint8Array(10).fill(255))).toBe("key_0000000001zzzzzzzzzzzzzzzz");
  const bytes = Uint8Array.fromHex("0123456789abcdef1032");
  expect(newId("key", 33, () => bytes)).toBe("key_000000001104hmasw9nf6yy41j");
});

test("a rate limit's id leads back to its model", () => {
  expect(readRateLimitModel(rateLimitId("rl_odd/model"))).toBe("rl_odd/model");
  expect(readRateLimitModel("gpt-5")).toBe("gpt-5");
});

test("CRC-32 is that of IEEE 802.3", () => {
  expect(crc32("123456789")).toBe(0xcbf43926);
  expect(crc32("")).toBe(0);
});

test("the checksum of keys never changes, so keys in use stay valid", () => {
  const zeros = newSecretKey("gk_live_", (bytes) => new Uint8Array(bytes));
  expect(zeros).toBe(`gk_live_${"0".repeat(43)}3ya2We`);
  expect(findKeyKind(zeros)).toBe("gk_live_");
});

test("a made key is well-formed, and one wrong, missing or swapped character is seen", () => {
  fc.assert(
    fc.property(fc.constantFrom("gk_live_" as const, "gk_admin_" as const), fc.nat(56), (kind, position) => {
      const key = newSecretKey(kind, random);
      expect(findKeyKind(key)).toBe(kind);
      const other = key[position] === "x" ? "y" : "x";
      expect(findKeyKind(key.slice(0, position) + other + key.slice(position + 1))).toBeNull();
      expect(findKeyKind(key.slice(0, position) + key.slice(position + 1))).toBeNull();
    }),
  );
  expect(findKeyKind("")).toBeNull();
  expect(redactKey("gk_live_", "abcd")).toBe("gk_live_…abcd");
});

test("bytes that would favour some characters are drawn again", () => {
  const draws = [new Uint8Array(43).fill(255), new Uint8Array(43).fill(61)];
  expect(newSecretKey("gk_live_", () => draws.shift() ?? new Uint8Array(43))).toStartWith(
    `gk_live_${"z".repeat(43)}`,
  );
});

test("treats no inherited property as a permission", () => {
  for (const inheritedName of ["constructor", "__proto__", "toString", ""])
    expect(isPermission(inheritedName)).toBe(false);
});

test("predefined roles hold what the contract says", () => {
  const permissionsIn = (id: string) => predefinedRoles.find((role) => role.id === id)?.permissions ?? [];
  expect(ownerRole.permissions).toEqual(permissions);
  expect(permissions.filter((name) => !permissionsIn("role_admin").includes(name))).toEqual([
    "api.payments.write",
    "api.corrections.write",
    "api.payment_approval.write",
    "api.statements.write",
  ]);
  const reads = permissions.filter((name) => name.endsWith(".read"));
  expect(reads.filter((name) => !permissionsIn("role_reader").includes(name))).toEqual([
    "api.request_bodies.read",
    "api.prompts.read",
  ]);
  expect(permissionsIn("role_reader").filter((name) => !reads.includes(name))).toEqual([]);
  expect(permissionsIn("role_finance")).toContain("api.payments.write");
  expect(permissionsIn("role_finance")).toContain("api.corrections.write");
  expect(permissionsIn("role_finance")).toContain("api.statements.write");
  expect(permissionsIn("role_finance")).not.toContain("api.models.write");
  expect(permissionsIn("role_project_viewer").filter((name) => name.endsWith(".write"))).toEqual([]);
  const names = predefinedRoles.map(({ name }) => name.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
});

test("each operation has one id, one place and one permission", () => {
  const places = operationTable.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`);
  expect(new Set(places).size).toBe(operationTable.length);
  expect(new Set(operationTable.map(({ id }) => id)).size).toBe(operationTable.length);
  for (const { permission } of operationTable) {
    if (typeof permission === "string") expect(isPermission(permission)).toBe(true);
    else expect(permission.because).toMatch(/\w.*\.$/);
  }
});

test("each operation's scope fits its address and its permission", () => {
  for (const { id, path, surface, scope, permission } of operationTable) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect([id, names.includes("project_id")]).toEqual([id, scope === "project"]);
    expect([id, surface === "v1"]).toEqual([
      id,
      scope === "named project" || /^\/(tasks|videos|files|batches)/.test(path),
    ]);
    expect([id, typeof permission === "object"]).toEqual([id, scope === "own"]);
    if (/\/me(\/|$)/.test(path)) expect([id, scope]).toEqual([id, "own"]);
  }
});

test("gives each change the version and the caller that its promises need", () => {
  const changes = operationTable.filter(({ method }) => method !== "GET");
  expect(changes.length).toBeGreaterThan(70);
  for (const operation of changes) {
    const { id, effect, permission } = operation;
    const retrieve = findRetrieveOperation(operation);
    const hasVersion = retrieve !== undefined && findVersionedFields(retrieve.reply) !== null;
    expect([id, hasVersion]).toEqual([id, effect === "edits" || effect === "sets" || effect === "deletes"]);
    if (effect === "creates") expect([id, typeof permission]).toEqual([id, "string"]);
  }
});

test("a project's roles may hold what its operations, or calls made for it, ask for", () => {
  const permissionsAsked = operationTable
    .filter(appliesInProject)
    .flatMap(({ permission, sessionPermission }) => [permission as Permission, sessionPermission ?? []])
    .flat();
  expect([...projectPermissions].toSorted()).toEqual([...new Set(permissionsAsked)].toSorted());
  for (const { resourceType, permissions: rolePermissions } of predefinedRoles) {
    const beyond = rolePermissions.filter((name) => !projectPermissions.includes(name));
    if (resourceType === "api.project") expect(beyond).toEqual([]);
  }
});

const firstMessage = (schema: z.ZodMiniType, value: unknown) =>
  z.safeParse(schema, value, { error: describeIssue }).error?.issues[0]?.message;

test.each<[string, z.ZodMiniType, unknown, string]>([
  ["a missing field", z.strictObject({ name: z.string() }), {}, "is required"],
  ["a wrong type", z.string(), 1, "must be a string"],
  ["a wrong type", z.boolean(), "yes", "must be true or false"],
  ["a broken number", z.int(), 1.5, "must be a whole number"],
  ["a number beyond all", z.int(), Number("1e400"), "must be a finite number"],
  ["too little", z.int().check(z.minimum(0)), -1, "must be at least 0"],
  ["too much", z.string().check(z.maxLength(1)), "ab", "must be at most 1 character"],
  ["nothing", z.string().check(z.minLength(1)), "", "must not be empty"],
  ["an unknown word", z.enum(["a", "b", "c"]), "d", 'must be "a", "b" or "c"'],
  ["an unknown field", z.strictObject({}), { x: 1 }, "has no such field: x"],
  [
    "an unknown permission",
    roleDraft,
    { role_name: "x", permissions: ["api.role.read"] },
    "is not a permission; did you mean api.roles.read?",
  ],
])("%s has an error in plain words", (_, schema, value, words) => {
  expect(firstMessage(schema, value)).toBe(words);
});

test.each(["0", "25.00", "0.000000001", "8999999999.999999999", "9000000000", "9000000000.000"])(
  "%s is an amount",
  (text) => expect(z.safeParse(decimal, text).success).toBe(true),
);

test.each([
  "",
  "-1",
  "+1",
  "1e3",
  ".5",
  "5.",
  "1,000",
  " 1",
  "1.0000000001",
  "9000000000.000000001",
  "9000000001",
])("%j is no amount", (text) => expect(z.safeParse(decimal, text).success).toBe(false));

test("an empty value is not a positive amount", () => {
  expect(firstMessage(positiveDecimal, "0.000")).toBe("must be greater than 0");
});

test("a page's limit is a whole number from 1 to 1000", () => {
  expect(z.parse(pageQuery, { limit: "1000" })).toEqual({ limit: 1000 });
  for (const limit of ["0", "1001", "-1", "1.5", "ten", ""]) {
    expect(z.safeParse(pageQuery, { limit }).success).toBe(false);
  }
});

test("every operation bounds its body: kilobytes, but for what models are given and for lists", () => {
  for (const { id, permission, bodyBounds } of operationTable) {
    const isOpen = typeof permission === "object" && permission.open === "to everyone";
    const mebibytes = {
      createChatCompletion: 32,
      previewChatCompletion: 32,
      createMessage: 32,
      countMessageTokens: 32,
      createEmbedding: 8,
      createModeration: 8,
      createImageEdit: 51,
      createTranscription: 26,
      createTranslation: 26,
      uploadFile: 201,
      saveConversation: 2,
      createPrompt: 1,
      changePrompt: 1,
      createPromptVersion: 1,
      savePromptResults: 2,
      importPayments: 2,
      previewPaymentImport: 2,
    }[id as string];
    const max = mebibytes ? mebibytes * 1024 * 1024 : (isOpen ? 16 : 64) * 1024;
    expect([id, bodyBounds.bytes <= max, bodyBounds.entries > 0]).toEqual([id, true, true]);
  }
});
