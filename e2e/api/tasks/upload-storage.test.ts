import { expect, test } from "bun:test";
import { MAX_FILE_BYTES, MAX_STORED_BYTES } from "@/lib/contract/operations/tasks/files";
import { RESERVED_STEP_BYTES } from "@/lib/gateway/files/files";
import { chatLine, createBatchClient, uploadForm } from "../../support/clients/batch-client";
import { buildRequest, fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";
import { queryDatabase } from "../../support/stored-data/query-database";

let gateway: ServedGateway;

serveForAll((served) => {
  gateway = served;
});

/** An upload whose body begins and then stays away until `end` is called. */
function beginUpload(announced: number | null, at = gateway) {
  let [send, end] = [(_bytes: Uint8Array) => {}, () => {}];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const head =
        '--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
      controller.enqueue(Buffer.from(`${head}half`));
      send = (bytes) => controller.enqueue(bytes);
      end = () => {
        controller.enqueue(Buffer.from("\r\n--b--\r\n"));
        controller.close();
      };
    },
  });
  const headers = {
    "content-type": "multipart/form-data; boundary=b",
    ...(announced !== null && { "content-length": String(announced) }),
  };
  const status = at
    .answer(buildRequest(`${at.baseUrl}/files`, { key: at.key, headers, body }))
    .then((reply) => reply.status);
  return { status, send: (bytes: Uint8Array) => send(bytes), end: () => end() };
}

const countUploads = async (at: ServedGateway) =>
  (await queryDatabase<{ n: number }>(at, "select count(*) as n from files"))[0]?.n;

const room = Math.floor(MAX_STORED_BYTES / MAX_FILE_BYTES);

test("an upload under way counts with its announced length, so that uploads at once can't exceed the storage", async () => {
  const uploads = Array.from({ length: room + 5 }, () => beginUpload(MAX_FILE_BYTES));
  const refused: number[] = [];
  for (const { status } of uploads) void status.then((code) => code === 409 && refused.push(code));
  await until("five have been refused", () => refused.length === 5);
  expect((await gateway.admin<{ data: unknown[] }>("GET", "/files")).data).toEqual([]);
  for (const { end } of uploads) end();
  const statuses = await Promise.all(uploads.map(({ status }) => status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(room);
  // Each now counts with its four bytes, so there is room again.
  const form = uploadForm({ purpose: "user_data", file: "x" });
  const again = await fetchWithKey(`${gateway.baseUrl}/files`, { key: gateway.key, body: form });
  expect(again.status).toBe(200);
  const { data } = await gateway.admin<{ data: { id: string }[] }>("GET", "/files?limit=1000");
  for (const { id } of data)
    await fetchWithKey(`${gateway.baseUrl}/files/${id}`, { method: "DELETE", key: gateway.key });
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("uploads without a length count with what has arrived, and are refused where the storage ends", async () => {
  const small = await serveGateway();
  try {
    const announced = Array.from({ length: room - 1 }, () => beginUpload(MAX_FILE_BYTES, small));
    const unannounced = Array.from({ length: 10 }, () => beginUpload(null, small));
    const [growing, ...others] = unannounced;
    await until(
      "all have begun",
      async () => (await countUploads(small)) === announced.length + unannounced.length,
    );
    const block = new Uint8Array(RESERVED_STEP_BYTES);
    for (let sent = 0; sent < MAX_FILE_BYTES - RESERVED_STEP_BYTES; sent += block.length)
      growing?.send(block);
    growing?.end();
    expect(await growing?.status).toBe(200);
    // Less than 64 MiB are left.
    const [another] = others;
    for (let sent = 0; sent < 20; sent++) another?.send(block);
    another?.end();
    expect(await another?.status).toBe(409);
    for (const { end } of [...announced, ...others.slice(1)]) end();
    const statuses = await Promise.all([...announced, ...others.slice(1)].map(({ status }) => status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await findDoctorFaults(small)).toEqual([]);
  } finally {
    await small.close();
  }
});

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
