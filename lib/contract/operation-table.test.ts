import { expect, test } from "bun:test";
import { isPermission } from "./access/permissions";
import { findRetrieveOperation, operationTable } from "./operation-table";
import { findVersionedFields } from "./version";

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

test("every operation bounds its body: kilobytes, but for what models are given and for lists", () => {
  for (const { id, permission, bodyBounds } of operationTable) {
    const isOpen = typeof permission === "object" && permission.open === "to everyone";
    const mebibytes = {
      createChatCompletion: 32,
      previewChatCompletion: 32,
      createMessage: 32,
      createResponse: 32,
      createCompaction: 32,
      countMessageTokens: 32,
      countResponseTokens: 32,
      createEmbedding: 8,
      createModeration: 8,
      createImageEdit: 51,
      createTranscription: 26,
      createTranslation: 26,
      uploadFile: 201,
      saveConversation: 2,
      createResponseConversation: 2,
      createResponseConversationItems: 2,
      createPrompt: 1,
      changePrompt: 1,
      createPromptVersion: 1,
      savePromptResults: 2,
      importPayments: 2,
      previewPaymentImport: 2,
      importModels: 1,
      changePrices: 1,
      createRateLimitChanges: 6,
      createRateLimitDraft: 6,
      replayRateLimits: 6,
      planConfiguration: 4,
      applyConfiguration: 4,
    }[id as string];
    const max = mebibytes ? mebibytes * 1024 * 1024 : (isOpen ? 16 : 64) * 1024;
    expect([id, bodyBounds.bytes <= max, bodyBounds.entries > 0]).toEqual([id, true, true]);
  }
});

test("each summary can be read alone", () => {
  for (const { id, summary } of operationTable) {
    expect([id, summary]).toEqual([id, expect.stringMatching(/^[A-Z][a-z]+s .*\.$/)]);
    expect([id, summary]).not.toEqual([id, expect.stringMatching(/\bsuch an? |^\w+ (it|them)\b/)]);
  }
});
