import { afterAll, beforeAll, expect, test } from "bun:test";
import { MAX_FILE_BYTES, MAX_STORED_BYTES } from "@/lib/contract/operations/files";
import { chatLine, createBatchClient, uploadForm } from "../support/batch-client";
import { findDoctorFaults } from "../support/find-doctor-faults";
import { type ServedGateway, serveGateway } from "../support/serve-gateway";
import { until } from "../support/until";

let gateway: ServedGateway;

beforeAll(async () => {
  gateway = await serveGateway();
});
afterAll(() => gateway.close());

/** An upload whose body begins and then stays away until `end` is called. */
function beginUpload(announced: number | null, key = gateway.key) {
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const head =
        '--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
      controller.enqueue(Buffer.from(`${head}half`));
      end = () => {
        controller.enqueue(Buffer.from("\r\n--b--\r\n"));
        controller.close();
      };
    },
  });
  const headers = new Headers({
    authorization: `Bearer ${key}`,
    "content-type": "multipart/form-data; boundary=b",
  });
  if (announced !== null) headers.set("content-length", String(announced));
  const status = gateway
    .answer(new Request(`${gateway.baseUrl}/files`, { method: "POST", headers, body }))
    .then((reply) => reply.status);
  return { status, end: () => end() };
}

const room = Math.floor(MAX_STORED_BYTES / MAX_FILE_BYTES);

test.each([
  ["with its announced length", MAX_FILE_BYTES],
  ["with the most there may be, if it announces no length", null],
] as const)(
  "an upload under way counts %s, so that uploads at once can't exceed the storage",
  async (_, announced) => {
    const uploads = Array.from({ length: room + 5 }, () => beginUpload(announced));
    const refused: number[] = [];
    for (const { status } of uploads) void status.then((code) => code === 409 && refused.push(code));
    await until("five have been refused", () => refused.length === 5);
    expect((await gateway.admin<{ data: unknown[] }>("GET", "/files")).data).toEqual([]);
    for (const { end } of uploads) end();
    const statuses = await Promise.all(uploads.map(({ status }) => status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(room);
    // Each now counts with its four bytes, so there is room again.
    const form = uploadForm({ purpose: "user_data", file: "x" });
    const again = await fetch(`${gateway.baseUrl}/files`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}` },
      body: form,
    });
    expect(again.status).toBe(200);
    const { data } = await gateway.admin<{ data: { id: string }[] }>("GET", "/files?limit=1000");
    const headers = { authorization: `Bearer ${gateway.key}` };
    for (const { id } of data) await fetch(`${gateway.baseUrl}/files/${id}`, { method: "DELETE", headers });
    expect(findDoctorFaults(gateway)).toEqual([]);
  },
);

test("batches created at once don't exceed the number that may be under way", async () => {
  await gateway.setLimits("sandbox-slow", { max_requests_per_1_minute: 100_000 });
  const client = createBatchClient(gateway);
  // Each word takes 100 ms, so no batch ends before all are created.
  const file = await client.upload([chatLine("1", "word ".repeat(300), { model: "sandbox-slow" })]);
  const made = await Promise.allSettled(
    Array.from({ length: 60 }, () =>
      client.openai.batches.create({
        input_file_id: file,
        endpoint: "/v1/chat/completions",
        completion_window: "24h",
      }),
    ),
  );
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
});
