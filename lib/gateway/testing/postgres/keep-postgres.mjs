// Runs PostgreSQL on a data folder until standard input ends, which it also does when the process that started this one
// is killed. A line on standard input ends it by that signal, or starts it again ("start"); the answer is a line, too.
// PostgreSQL refuses root: a root's cluster is of another user. With a source it is a standby. Arguments: JSON.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const { binaries, folder, user, settings, env, mayEnd, source } = JSON.parse(process.argv[2]);
const data = join(folder, "data");
const owner = user && { uid: user.uid, gid: user.gid };
const options = { cwd: folder, env: { ...process.env, ...env }, ...owner };

mkdirSync(folder, { recursive: true });
if (owner) chownSync(folder, owner.uid, owner.gid);
const [maker, ...words] = source
  ? ["pg_basebackup", "-D", data, "-R", "-c", "fast", "-h", "127.0.0.1", "-p", source, "-U", "gatehouse"]
  : ["initdb", "-D", data, "-A", "trust", "-U", "gatehouse", "--locale=C", "--encoding=UTF8", "--no-sync"];
const made = spawnSync(join(binaries, maker), words, { ...options, encoding: "utf8" });
if (made.status !== 0) {
  console.error(made.error ?? made.stdout + made.stderr);
  process.exit(1);
}
const parameters = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
let isOver = false;
let server = start();

function start() {
  const log = openSync(join(folder, "log"), "a");
  const started = spawn(join(binaries, "postgres"), ["-D", data, ...parameters], {
    ...options,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  started.isExpectedToEnd = false;
  started.on("exit", () => {
    if ((started.isExpectedToEnd || mayEnd) && !isOver) return;
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
  return started;
}

/** A killed postmaster leaves its processes behind for a moment, which go on writing: all are killed at once. */
async function end(signal) {
  server.isExpectedToEnd = true;
  const { pid } = server;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  const exited = once(server, "exit");
  server.kill(signal);
  if (signal === "SIGKILL")
    for (const child of children) {
      try {
        process.kill(Number(child), signal);
      } catch {
        // It has ended by itself.
      }
    }
  await exited;
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line !== "start") await end(line);
  else if (server.exitCode !== null || server.signalCode !== null) server = start();
  console.log(line);
}
isOver = true;
// SIGINT ends the sessions; SIGQUIT doesn't even wait for that.
if (server.exitCode === null && server.signalCode === null) server.kill("SIGQUIT");
else {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
