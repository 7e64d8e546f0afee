import { afterEach, expect, test } from "bun:test";
import type { Task } from "@/lib/contract/operations/tasks/task";
import type { ChatEvent } from "./chat-event";
import { followTask, streamMedia } from "./stream-media";

let server: Bun.Server<undefined> | undefined;
let paths: string[] = [];
afterEach(async () => {
  await server?.stop(true);
  paths = [];
});

function serve(answer: (path: string, request: Request) => Response | Promise<Response>) {
  server = Bun.serve({
    port: 0,
    fetch: (request) => {
      const path = new URL(request.url).pathname;
      paths.push(`${request.method} ${path}`);
      return answer(path, request);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, token: "t" };
}

const task = (more: Partial<Task> = {}): Task => ({
  id: "task_1",
  object: "task",
  model: "sandbox-image",
  status: "queued",
  created: 1,
  request_id: "req_1",
  project_id: "proj_1",
  family: "image",
  progress: null,
  started_at: null,
  ended_at: null,
  cancel_requested: false,
  provider_state: "known",
  usage: null,
  error: null,
  output: [],
  ...more,
});
const events = (...tasks: Task[]) =>
  new Response(tasks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
const call = { family: "image" as const, body: { model: "sandbox-image", prompt: "a" }, projectId: "proj_1" };

async function collect(source: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of source) all.push(event);
  return all;
}
const statuses = (all: readonly ChatEvent[]) =>
  all.flatMap((event) =>
    event.type === "output" && event.output.kind === "task" ? [event.output.task.status] : [],
  );

test("a task is followed to its end, over streams that the gateway ends in between", async () => {
  const streams = [
    events(task({ status: "running", progress: 10 })),
    events(task({ status: "succeeded", ended_at: 2 })),
  ];
  const connection = serve((path) =>
    path.endsWith("/events")
      ? (streams.shift() ?? new Response(null, { status: 500 }))
      : Response.json(task()),
  );
  const all = await collect(streamMedia(connection, call, new AbortController().signal));
  expect(statuses(all)).toEqual(["queued", "running", "succeeded"]);
  expect(paths.slice(1)).toEqual(Array(2).fill("GET /organization/me/tasks/task_1/events"));
});

test("a task that was stopped before its id was known is canceled, so that nobody pays for what nobody sees", async () => {
  const stop = new AbortController();
  const connection = serve((path) => {
    if (!path.endsWith("/cancel")) stop.abort();
    return Response.json(task());
  });
  expect(await collect(streamMedia(connection, call, stop.signal))).toEqual([]);
  expect(paths).toEqual(["POST /v1/chat/completions", "POST /organization/me/tasks/task_1/cancel"]);
});

test("a task that is only no longer looked at goes on", async () => {
  const leave = new AbortController();
  const connection = serve((path) =>
    path.endsWith("/events")
      ? new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), {
          headers: { "content-type": "text/event-stream" },
        })
      : Response.json(task()),
  );
  await expect(
    (async () => {
      for await (const event of streamMedia(connection, call, leave.signal))
        if (event.type === "output") setTimeout(() => leave.abort(), 0);
    })(),
  ).rejects.toThrow();
  expect(paths.filter((one) => one.includes("cancel"))).toEqual([]);
});

test.each([
  ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } }), 1],
  ["nothing", () => new Response("", { headers: { "content-type": "text/event-stream" } }), 2],
  ["no tasks", () => new Response("data: 7\n\n", { headers: { "content-type": "text/event-stream" } }), 2],
])("an address that answers with %s is asked no more than twice", async (_name, answer, requests) => {
  const connection = serve((path) => (path.endsWith("/events") ? answer() : Response.json(task())));
  const all = await collect(streamMedia(connection, call, new AbortController().signal));
  expect(all.at(-1)).toMatchObject({ type: "problem", problem: { code: "failed" } });
  expect(paths.filter((path) => path.endsWith("/events"))).toHaveLength(requests);
});

test("an event that is not a task is passed over", async () => {
  const ended = JSON.stringify(task({ status: "succeeded", ended_at: 2 }));
  const connection = serve((path) =>
    path.endsWith("/events")
      ? new Response(`data: not json\n\ndata: ${ended}\n\n`, {
          headers: { "content-type": "text/event-stream" },
        })
      : Response.json(task()),
  );
  const all = await collect(streamMedia(connection, call, new AbortController().signal));
  expect(statuses(all)).toEqual(["queued", "succeeded"]);
  expect(all.at(-1)?.type).toBe("output");
});

test("a refused task shows the reason, also if the task may no longer be seen", async () => {
  const refusal = { error: { message: "No.", type: "permission_error", code: "missing_permission" } };
  const connection = serve(() => Response.json(refusal, { status: 403 }));
  const signal = new AbortController().signal;
  const refusals = await collect(streamMedia(connection, call, signal));
  expect(refusals.map(({ type }) => type)).toEqual(["reply", "problem"]);
  const hidden = await collect(followTask(connection, { id: "task_1" }, signal));
  expect(hidden).toMatchObject([{ type: "problem", problem: { code: "missing_permission" } }]);
});
