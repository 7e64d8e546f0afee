import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port";

const VERSION = "1.15.2";
const PACKAGE = "@portkey-ai/gateway";
const PROGRAM = `node_modules/${PACKAGE}/build/start-server.js`;
const READY_MS = 20_000;
const INSTALL_MS = 120_000;

export interface Portkey {
  readonly url: string;
  readonly pid: number;
  /** The headers that tell it where to forward calls. */
  readonly headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts the peer under Node. It is installed in a folder of its own and kept for the next run. Returns a reason if it
 * can't start.
 */
export async function startPortkey(providerUrl: string): Promise<Portkey | { readonly absent: string }> {
  if (!Bun.which("node")) return { absent: `There is no node for ${PACKAGE}: its column is left out.` };
  const folder = join(tmpdir(), `gatehouse-bench-portkey-${VERSION}`);
  if (!existsSync(join(folder, PROGRAM)) && !(await install(folder)))
    return { absent: `${PACKAGE} ${VERSION} could not be installed from npm: its column is left out.` };
  const port = await freePort();
  const child = Bun.spawn(["node", PROGRAM, `--port=${port}`, "--headless"], {
    cwd: folder,
    stdout: "ignore",
    stderr: "ignore",
    env: { ...process.env, NODE_ENV: "production" },
  });
  const url = `http://127.0.0.1:${port}`;
  if (!(await answers(url))) {
    child.kill();
    return { absent: `${PACKAGE} did not answer within ${READY_MS / 1_000} s: its column is left out.` };
  }
  return {
    url,
    pid: child.pid,
    headers: { "x-portkey-provider": "openai", "x-portkey-custom-host": `${providerUrl}/v1` },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** Installs it in a separate folder, so that it is no dependency of the product. */
async function install(folder: string): Promise<boolean> {
  if (!Bun.which("npm")) return false;
  mkdirSync(folder, { recursive: true });
  const quietly = ["--silent", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000"];
  const npm = ["npm", "install", "--prefix", folder, ...quietly, `${PACKAGE}@${VERSION}`];
  const child = Bun.spawn(npm, { cwd: folder, stdout: "ignore", stderr: "ignore", timeout: INSTALL_MS });
  return (await child.exited) === 0;
}

async function answers(url: string): Promise<boolean> {
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    const reply = await fetch(url).catch(() => null);
    if (reply) return true;
    await Bun.sleep(100);
  }
  return false;
}
