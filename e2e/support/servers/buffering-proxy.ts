import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as sendRequest } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { findFreePorts } from "@/lib/dev/find-free-ports";
import { until } from "../clients/until";

const NGINX = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"];

export interface BufferingProxy {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly origin: string;
  stop(): Promise<void>;
}

/**
 * Starts a proxy before the server at `target`, as nginx is without settings: it keeps a reply back until it is whole,
 * unless the reply says `X-Accel-Buffering: no`. It is nginx itself where that is installed.
 */
export async function startBufferingProxy(target: string): Promise<BufferingProxy> {
  const program = NGINX.find((path) => existsSync(path));
  return program ? startNginx(program, target) : startStandIn(target);
}

async function startNginx(program: string, target: string): Promise<BufferingProxy> {
  const [port = 0] = await findFreePorts(1);
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-nginx-"));
  await mkdir(join(folder, "temp"));
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, "temp", name)};`)
    .join("\n  ");
  await writeFile(
    join(folder, "nginx.conf"),
    `daemon off;
pid ${join(folder, "pid")};
error_log stderr crit;
events {}
http {
  access_log off;
  ${places}
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${target};
      proxy_set_header Host $http_host;
    }
  }
}
`,
  );
  const nginx: ChildProcess = spawn(
    program,
    ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")],
    {
      stdio: "ignore",
    },
  );
  await until("nginx listens", () => canConnect(port));
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      nginx.kill("SIGTERM");
      if (nginx.exitCode === null) await once(nginx, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}

async function startStandIn(target: string): Promise<BufferingProxy> {
  const server = createServer((request, reply) => {
    const upstream = sendRequest(`${target}${request.url}`, {
      method: request.method,
      headers: request.headers,
    });
    request.pipe(upstream);
    reply.on("close", () => upstream.destroy());
    upstream.on("error", () => reply.destroy());
    upstream.on("response", async (received) => {
      const { "x-accel-buffering": buffering, ...headers } = received.headers;
      if (buffering === "no") {
        reply.writeHead(received.statusCode ?? 502, headers);
        received.pipe(reply);
        return;
      }
      const body = await buffer(received).catch(() => null);
      if (body === null) reply.destroy();
      else reply.writeHead(received.statusCode ?? 502, headers).end(body);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
