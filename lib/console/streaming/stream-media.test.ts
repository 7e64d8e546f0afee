import { afterEach, expect, test } from "bun:test";
import { type AddressInfo, createServer } from "node:net";
import type { Connection } from "../gateway/gateway-request";
import type { ChatEvent } from "./chat-event";
import { type OtherFamily, streamMedia } from "./stream-media";

let server: Bun.Server<undefined> | undefined;
afterEach(() => server?.stop(true));

function ask(family: OtherFamily, answer: (request: Request) => Response | Promise<Response>) {
  server = Bun.serve({ port: 0, fetch: answer });
  return collect({ url: `http://127.0.0.1:${server.port}`, token: "t" }, family);
}

async function collect(connection: Connection, family: OtherFamily): Promise<ChatEvent[]> {
  const recording = family === "transcription" ? new File(["sound"], "talk.wav") : undefined;
  const call = { family, body: { model: "sandbox" }, recording, projectId: null };
  const events: ChatEvent[] = [];
  for await (const event of streamMedia(connection, call, new AbortController().signal)) events.push(event);
  return events;
}

const typesOf = (events: readonly ChatEvent[]) => events.map(({ type }) => type);

test("a recording goes as a file in a form, and its transcript comes back with its usage", async () => {
  let sentName: string | undefined;
  const usage = { type: "tokens", input_tokens: 40, output_tokens: 20, total_tokens: 60 };
  const events = await ask("transcription", async (request) => {
    const form = await request.formData();
    sentName = (form.get("file") as File).name;
    return Response.json({ text: "Hello.", usage });
  });
  expect(sentName).toBe("talk.wav");
  expect(events.slice(1, 4)).toEqual([
    { type: "text", text: "Hello." },
    { type: "output", output: { kind: "transcript" } },
    { type: "usage", promptTokens: 40, completionTokens: 20, totalTokens: 60 },
  ]);
  expect(events.at(-1)?.type).toBe("reply");
});

test("subtitles are a transcript", async () => {
  const subtitles = "1\n00:00:00,000 --> 00:00:01,000\nHello.\n";
  const events = await ask(
    "transcription",
    () => new Response(subtitles, { headers: { "content-type": "text/plain; charset=utf-8" } }),
  );
  expect(events.slice(1, 3)).toEqual([
    { type: "text", text: subtitles },
    { type: "output", output: { kind: "transcript" } },
  ]);
});

test.each(["embedding", "moderation"] as const)(
  "a page is not the answer of a model of %s",
  async (family) => {
    const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
    const events = await ask(family, page);
    expect(typesOf(events)).toEqual(["start", "reply", "problem"]);
  },
);

test("a problem comes after the usage and the reply", async () => {
  const events = await ask("embedding", () => Response.json({ data: [], usage: { prompt_tokens: 2 } }));
  expect(typesOf(events)).toEqual(["start", "usage", "reply", "problem"]);
});

const failed = (problem: object) => ({ type: "problem" as const, problem: expect.objectContaining(problem) });

test("an answer without an end is given up, with the reason", async () => {
  const answer = () => new Response(endless(), { headers: { "content-type": "application/json" } });
  const message = expect.stringContaining("larger than the console reads");
  expect((await ask("embedding", answer)).at(-1)).toEqual(failed({ code: "failed", message }));
});

test("speech without an end is given up, with the reason", async () => {
  const answer = () => new Response(endless(), { headers: { "content-type": "audio/mpeg" } });
  const message = expect.stringContaining("too large for the playground");
  expect((await ask("speech", answer)).at(-1)).toEqual(failed({ code: "failed", message }));
});

test("an answer that is torn is not reported as a gateway that never answered", async () => {
  const tearingServer = createServer((socket) => {
    socket.end("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{");
  });
  await new Promise<void>((resolve) => tearingServer.listen(0, "127.0.0.1", resolve));
  const events = await collect(
    { url: `http://127.0.0.1:${(tearingServer.address() as AddressInfo).port}`, token: "t" },
    "embedding",
  );
  tearingServer.close();
  const message = expect.stringContaining("The gateway stopped answering.");
  expect(events.at(-1)).toEqual(failed({ code: "unreachable", message }));
});

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) });
}
