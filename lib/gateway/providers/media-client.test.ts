import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import { HI, SocketServer } from "../http/outbound/testing/socket-server";
import { createTaskApiClient } from "./http-tasks/task-api-client";
import type { MediaOrder, RemoteTask } from "./media-client";
import { createOpenaiMediaClient } from "./openai/openai-media-client";

const order: MediaOrder = {
  family: "video",
  model: "waves",
  prompt: "Waves",
  count: 1,
  size: null,
  seconds: 4,
  quality: null,
  extraFields: {},
};
const remote: RemoteTask = { id: "video_1", order };
const taskApi: TaskApi = {
  makes: ["video"],
  submit: { path: "/make", body: {} },
  outputs: { path: "/files/{id}" },
};
const clients = { openai: createOpenaiMediaClient, http: createTaskApiClient };
let provider: SocketServer;

beforeEach(() => {
  provider = new SocketServer();
});
afterEach(() => provider.close());

test.each(["openai", "http"] as const)(
  "a client of the kind %s fetches no file once it is stopped",
  async (kind) => {
    const port = await provider.open((socket) => void socket.write(HI));
    const server = {
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: null,
      auth: "bearer" as const,
      messagesBaseUrl: null,
      isTrusted: true,
      taskApi,
    };
    const client = clients[kind](server, { nowMs: () => 0 });
    const stopped = AbortSignal.abort(new Error("closing"));
    await expect(Promise.resolve(client.open(remote, { position: 0 }, stopped))).rejects.toThrow("closing");
    expect(provider.requests).toEqual([]);
  },
);

test.each(["openai", "http"] as const)(
  "a client of the kind %s stops waiting for a file when it is stopped",
  async (kind) => {
    const stop = new AbortController();
    const port = await provider.open(() => stop.abort());
    const server = {
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: null,
      auth: "bearer" as const,
      messagesBaseUrl: null,
      isTrusted: true,
      taskApi,
    };
    const opened = Promise.resolve(
      clients[kind](server, { nowMs: () => 0 }).open(remote, { position: 0 }, stop.signal),
    );
    await expect(opened).rejects.toThrow("canceled");
  },
);
