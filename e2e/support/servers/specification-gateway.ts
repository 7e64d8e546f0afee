import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";

/** A gateway with only the specification's four operations: no lists, no sessions. */
export interface SpecificationGateway {
  /** The gateway's address without `/v1`, like `GATEWAY_URL`. */
  readonly url: string;
  readonly token: string;
  /** The received requests, oldest first. */
  readonly requests: readonly { method: string; path: string; status: number }[];
  /** Sets the answer to unknown paths; initially 404. */
  answerUnknownPaths(reply: UnknownPathReply): void;
  stop(): Promise<void>;
}

interface Call {
  readonly path: string;
  readonly body: Record<string, unknown> | null;
  readonly reply: ServerResponse;
}

/** The answer to an unknown path. Some gateways give it before looking at the path if no key is sent. */
type UnknownPathReply = 401 | 403 | 404 | 405 | 501 | "page";

/** Starts one on a local port, by default a free one. */
export async function startSpecificationGateway(port = 0): Promise<SpecificationGateway> {
  let unknownPathReply: UnknownPathReply = 404;
  const token = "specification-token";
  const requests: { method: string; path: string; status: number }[] = [];
  const server = createServer((request, reply) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    reply.on("close", () => requests.push({ method: request.method ?? "", path, status: reply.statusCode }));
    answer(request, reply, { path, token, unknownPathReply }).catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    requests,
    answerUnknownPaths(reply) {
      unknownPathReply = reply;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  reply: ServerResponse,
  { path, token, unknownPathReply }: { path: string; token: string; unknownPathReply: UnknownPathReply },
): Promise<void> {
  const operation = request.method === "POST" ? operationAt(path) : undefined;
  const text = await readText(request);
  const isLetIn = request.headers.authorization === `Bearer ${token}`;
  if (!isLetIn && (operation || unknownPathReply === 401))
    return send(reply, 401, { detail: "Unauthorized" });
  if (!operation) {
    if (unknownPathReply !== "page")
      return send(reply, unknownPathReply === 401 ? 404 : unknownPathReply, { detail: "Not here" });
    reply.writeHead(200, { "content-type": "text/html" }).end("<html><title>Some gateway</title></html>");
    return;
  }
  operation({ path, body: readObject(text), reply });
}

function operationAt(path: string): ((call: Call) => void) | undefined {
  if (path === "/v1/chat/completions" || path === "/v1/messages") return complete;
  if (path === "/organization/roles/") return createRole;
  if (/^\/organization\/projects\/[^/]+\/rate_limits\/[^/]+$/.test(path)) return saveRateLimit;
  return undefined;
}

/** Section 4.3: the two segments name project and rate limit. Absent fields read as 0. */
function saveRateLimit({ path, body, reply }: Call): void {
  const segments = path.split("/").map(decodeURIComponent);
  const id = segments[5] ?? "";
  if (!body || Object.values(body).some((value) => !Number.isInteger(value))) {
    return send(reply, 400, { detail: "Six integers are expected" });
  }
  const limits = Object.fromEntries(rateLimitFields.map((field) => [field, body[field] ?? 0]));
  send(reply, 200, { object: "project.rate_limit", id, model: id.replace(/^rl_/, ""), ...limits });
}

/** Section 4.4. */
function createRole({ body, reply }: Call): void {
  if (typeof body?.role_name !== "string" || !Array.isArray(body.permissions)) {
    return send(reply, 400, { detail: "role_name and permissions are expected" });
  }
  send(reply, 200, {
    object: "role",
    id: "role_specified",
    name: body.role_name,
    description: body.description ?? "",
    permissions: body.permissions,
    resource_type: "api.organization",
    predefined_role: false,
  });
}

/** Sections 4.1 and 4.2: repeats the last message, whole or word by word. */
function complete({ body, reply }: Call): void {
  const messages = Array.isArray(body?.messages) ? (body.messages as { content?: unknown }[]) : [];
  const content = messages.at(-1)?.content;
  if (typeof body?.model !== "string" || typeof content !== "string") {
    return send(reply, 400, { error: { message: "model and messages are required" } });
  }
  const words = content.split(/(?<= )/);
  const head = { id: "completion_1", created: 1_700_000_000, model: body.model };
  const usage = {
    prompt_tokens: words.length,
    completion_tokens: words.length,
    total_tokens: 2 * words.length,
  };
  if (body.stream !== true) {
    const message = { role: "assistant", content };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return send(reply, 200, { ...head, object: "chat.completion", choices, usage });
  }
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  reply.writeHead(200, { "content-type": "text/event-stream" });
  for (const word of words) reply.write(chunk({ content: word }, null));
  reply.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
}

function send(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
