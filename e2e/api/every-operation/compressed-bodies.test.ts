import { expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import type { Operation } from "@/lib/contract/operation";
import { operations, operationTable } from "@/lib/contract/operation-table";
import { send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember, type Member } from "../../support/stored-data/create-member";

let gateway: ServedGateway;

let owner: Member;

serveForAll(async (served) => {
  gateway = served;
  await gateway.restart(async () => {
    const roles = [{ roleId: "role_owner", projectId: null }];
    owner = await createMember(gateway.dataFolder, "owner", roles, gateway.runtime);
  });
});

const json = Buffer.from('{"no_such_field":true}');
const form = { "content-type": "multipart/form-data; boundary=edge" };
const anthropic = { "anthropic-version": "2023-06-01" };
/** Their forms have no schema. */
const uploads = ["uploadFile", "createTranscription", "createTranslation", "createImageEdit"];
const withBody = operationTable.filter(({ id, body }) => body !== undefined || uploads.includes(id));

function post({ path }: Operation, body: Uint8Array, headers: Record<string, string>) {
  const filled = path.replace("{project_id}", gateway.projectId).replace(/\{\w+\}/g, "none");
  const inProject = { "openai-project": gateway.projectId };
  return send(gateway.baseUrl + filled, {
    method: "POST",
    key: owner.token,
    body,
    headers: { ...inProject, ...headers },
  });
}

test.each([
  ["gzip", Bun.gzipSync(json)],
  ["br", brotliCompressSync(json)],
  ["zstd", Bun.zstdCompressSync(json)],
  ["deflate", Bun.deflateSync(json)],
])("every operation says of a body that it is compressed with %s", async (coding, body) => {
  const expected = `The body is compressed with ${coding}. Send it uncompressed, without a Content-Encoding.`;
  expect(withBody.length).toBeGreaterThan(50);
  for (const operation of withBody) {
    const asJson = operation.body ? [{}, anthropic] : [];
    for (const headers of [...asJson, form, { ...form, ...anthropic }]) {
      const { status, error } = await post(operation, body, { "content-encoding": coding, ...headers });
      const refusal = [operation.id, status, error.code, error.message];
      expect(refusal).toEqual([operation.id, 415, "unsupported_content_encoding", expected]);
    }
  }
});

test.each(["identity", "utf-8"])("a body whose content encoding is %s is read", async (coding) => {
  const { error } = await post(operations.createRole, json, { "content-encoding": coding });
  expect([error.code, error.param]).toEqual(["missing_field", "role_name"]);
});
