import { describe, expect, test } from "bun:test";
import { toFile } from "openai";
import { MAX_BATCH_LINES, MAX_LINE_BYTES } from "@/lib/contract/operations/tasks/batches";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let gateway: ServedGateway;
let client: ReturnType<typeof createBatchClient>;

serveForAll(
  (served) => {
    gateway = served;
    client = createBatchClient(gateway);
  },
  { isExamined: true },
);

const upload = async (bytes: Uint8Array) => {
  const file = await toFile(Buffer.from(bytes), "input.jsonl");
  return (await client.openai.files.create({ file, purpose: "batch" })).id;
};
/** The refusal of a batch of these bytes. */
const readRefusal = async (bytes: Uint8Array): Promise<{ status: number; message: string }> => {
  const input_file_id = await upload(bytes);
  const made = client.openai.batches.create({
    input_file_id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  return made.then(
    () => ({ status: 200, message: "" }),
    ({ status, message }: { status: number; message: string }) => ({ status, message }),
  );
};
const text = (lines: readonly string[]) => Buffer.from(lines.join("\n"));
const first = chatLine("1", "x");
/** The first line with further values of a field of its body, before those that it has. */
const doubled = (name: string, ...values: string[]) =>
  first.replace('"body":{', `"body":{${values.map((value) => `"${name}":${value},`).join("")}`);

describe("a batch is refused whole, with the line that is wrong", () => {
  test.each<[string, () => Uint8Array, string]>([
    ["invalid UTF-8", () => Buffer.concat([text([first, ""]), Buffer.from([0x22, 0xff, 0xfe])]), "Line 2"],
    ["UTF-16", () => Buffer.from(first, "utf16le"), "Line 1"],
    ["NUL bytes", () => new Uint8Array(4_096), "Line 1"],
    ["an array", () => text([`[${first}]`]), "Line 1"],
    ["nesting without end", () => text([`${"[".repeat(100_000)}`]), "Line 1"],
    [
      "nesting that ends",
      () => text([first.replace('"x"', `${"[".repeat(100_000)}${"]".repeat(100_000)}`)]),
      "Line 1",
    ],
    ["a deep body", () => text([first.replace('"x"', `${"[".repeat(90)}${"]".repeat(90)}`)]), "Line 1"],
    ["an id that is no text", () => text([first.replace('"1"', "1")]), "custom_id"],
    ["an id without end", () => text([first.replace('"1"', `"${"x".repeat(513)}"`)]), "custom_id"],
    ["another method", () => text([first.replace("POST", "DELETE")]), "method"],
    ["an address of another host", () => text([first.replace("/v1/", "https://other.example/v1/")]), "url"],
    ["the last line twice", () => text([first, chatLine("2", "y"), chatLine("2", "y")]), "Line 3"],
    ["an id twice", () => text([first.replace("{", '{"custom_id":"2",')]), '"custom_id" appears twice'],
    ["a body twice", () => text([first.replace("{", '{"body":{},')]), '"body" appears twice'],
    [
      "a name that an escape spells again",
      () => text([first.replace("{", '{"\\u0075rl":"",')]),
      '"url" appears twice',
    ],
    [
      "a model twice",
      () => text([doubled("model", '"x"')]),
      '"model" appears twice in the body; send it once.',
    ],
    ["streams twice", () => text([doubled("stream", "true", "false")]), '"stream" appears twice in the body'],
    [
      "a message's role twice",
      () => text([first.replace('"role"', '"role":"system","role"')]),
      "An object within the body has the same field twice. Send each field once.",
    ],
    ["a callback", () => text([chatLine("1", "x", { callback_url: "https://example.com" })]), "callback_url"],
  ])("that has %s", async (_, bytes, words) => {
    const { status, message } = await readRefusal(bytes());
    expect(status).toBe(400);
    expect(message).toContain(words);
  });

  test("that is longer than a line may be, with or without its end", async () => {
    const long = chatLine("1", "x".repeat(MAX_LINE_BYTES));
    for (const lines of [[long], [long, ""], [first, long, first]]) {
      const { status, message } = await readRefusal(text(lines));
      expect([status, message.includes("is longer than")]).toEqual([400, true]);
    }
  });

  test("that is one line more than there may be", async () => {
    const lines = Array.from({ length: MAX_BATCH_LINES + 1 }, (_, line) => chatLine(String(line), "x"));
    const { status, message } = await readRefusal(text(lines));
    expect([status, message.includes("at most 50,000 lines")]).toEqual([400, true]);
  });
});

test("none of them made a batch, held money or counted in the limit of the day", async () => {
  expect((await client.openai.batches.list()).data).toEqual([]);
  expect(await gateway.admin("GET", "/organization/balance")).toMatchObject({ held: "0.00" });
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("blank lines, line ends of both kinds and a mark at the beginning are no fault", async () => {
  const file = `\ufeff\r\n${first}\r\n\n  \n${chatLine("2", "y")}`;
  const batch = await client.openai.batches.create({
    input_file_id: await upload(Buffer.from(file)),
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  const ended = await client.follow(batch.id);
  expect(ended.request_counts).toEqual({ total: 2, completed: 2, failed: 0 });
});
