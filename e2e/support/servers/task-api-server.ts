import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { paintPng } from "../clients/paint-png";

/** A task as the server has made it. */
interface MadeTask {
  readonly id: string;
  /** The task that the order names. */
  readonly task: unknown;
  /** The idempotency key of its order; null without one. */
  readonly key: string | null;
  readonly order: {
    readonly model: string;
    readonly reference: unknown;
    readonly input: Readonly<Record<string, unknown>>;
  };
  status: "waiting" | "processing" | "done" | "broken" | "stopped";
  polls: number;
}

interface TaskApiServerOptions {
  /** How often a task is polled before it is done. */
  readonly polls?: number;
  /** Whether to break the connection after the order was carried out. Called for each order. */
  readonly loses?: () => boolean;
  /** Whether orders under a known idempotency key are answered with their first task. */
  readonly isIdempotent?: boolean;
}

export type TaskApiServer = Awaited<ReturnType<typeof startTaskApiServer>>;

export const picture = paintPng({ width: 2, height: 1 }, [200, 30, 30]);
const KEY = "mapped-secret";

/**
 * A provider with a task API of its own: a queue, failures and cancellation. The prompt "fails" makes a task that
 * fails, "refused" an order that is refused, and "endless" a task that never ends.
 */
export async function startTaskApiServer({
  polls = 2,
  loses = () => false,
  isIdempotent = true,
}: TaskApiServerOptions = {}) {
  const made: MadeTask[] = [];
  const server = createServer((request, reply) => void answer(request, reply));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const find = (id: string) => made.find((task) => task.id === decodeURIComponent(id));

  async function answer(request: IncomingMessage, reply: ServerResponse) {
    const path = request.url ?? "";
    if (path.startsWith("/files/")) return send(reply, 200, picture, "image/png");
    if (request.headers["x-key"] !== `Key ${KEY}`)
      return send(reply, 401, { problem: { text: "Who are you?" } });
    if (request.method === "POST" && path === "/v2/jobs") return order(request, reply);
    const [, id = "", verb] = /^\/v2\/jobs\/([^/]+)(\/stop)?$/.exec(path) ?? [];
    const task = find(id);
    if (!task) return send(reply, 404, { problem: { text: "No such task" } });
    if (verb) {
      if (task.status === "waiting" || task.status === "processing") task.status = "stopped";
      return send(reply, 200, {});
    }
    goOn(task, polls);
    send(reply, 200, describe(task, url));
  }

  async function order(request: IncomingMessage, reply: ServerResponse) {
    const body = JSON.parse(await readText(request)) as MadeTask["order"];
    if (body.input.prompt === "refused")
      return send(reply, 422, { problem: { text: `No. Not with ${KEY}`, code: "not_allowed" } });
    const header = request.headers["idempotency-key"];
    const key = typeof header === "string" ? header : null;
    let task = isIdempotent && key !== null ? made.find((one) => one.key === key) : undefined;
    if (!task)
      made.push(
        (task = {
          id: `id/${made.length}?`,
          key,
          order: body,
          task: body.reference,
          status: "waiting",
          polls: 0,
        }),
      );
    if (loses()) return request.socket.destroy();
    send(reply, 202, { data: { id: task.id } });
  }

  return {
    url,
    key: KEY,
    made,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A poll brings a task forward. */
function goOn(task: MadeTask, polls: number) {
  if (task.status !== "waiting" && task.status !== "processing") return;
  task.polls++;
  const { prompt } = task.order.input;
  if (prompt === "endless" || task.polls < polls) task.status = "processing";
  else task.status = prompt === "fails" ? "broken" : "done";
}

function describe({ id, status, order: { input } }: MadeTask, url: string) {
  const count = typeof input.copies === "number" ? input.copies : 1;
  const files = Array.from({ length: count }, (_, index) => ({
    link: `${url}/files/${encodeURIComponent(id)}-${index}`,
  }));
  const done = { data: { status, progress: 1, files } };
  if (status === "done") return done;
  if (status === "broken")
    return { data: { status }, problem: { text: `It melted. ${KEY}`, code: "melted" } };
  return { data: { status, progress: 0.42 } };
}

/** The mapping of the server's API, in YAML's flow style, with further fields of `submit`. */
export function taskApiMapping(submit: object = { idempotency_header: "Idempotency-Key" }): string {
  return JSON.stringify({
    makes: ["image"],
    authentication: { header: "X-Key", value: "Key {api_key}" },
    submit: {
      path: "/v2/jobs",
      body: {
        model: "{model}",
        reference: "{task_id}",
        input: { prompt: "{prompt}", copies: "{count}", format: "{size}", seed: "{parameters.seed}" },
      },
      id: "/data/id",
      ...submit,
    },
    poll: {
      path: "/v2/jobs/{id}",
      status: "/data/status",
      statuses: {
        queued: ["waiting"],
        running: ["processing"],
        succeeded: ["done"],
        failed: ["broken"],
        canceled: ["stopped"],
      },
      progress: { pointer: "/data/progress", maximum: 1 },
      interval_seconds: 0.5,
    },
    outputs: { list: "/data/files", url: "/link" },
    cancel: { path: "/v2/jobs/{id}/stop" },
    error: { message: ["/problem/text"], code: "/problem/code" },
  });
}

function send(reply: ServerResponse, status: number, body: object | Buffer, type = "application/json") {
  reply.writeHead(status, { "content-type": type }).end(body instanceof Buffer ? body : JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
