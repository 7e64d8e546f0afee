// Runs PostgreSQL on a data folder until standard input ends, which it also does when the process that started this one
// is killed. PostgreSQL refuses root, so a root's cluster belongs to a user without rights. Arguments: JSON.
import { spawn, spawnSync } from "node:child_process";
import { chownSync, closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";

const { binaries, folder, user, settings, env } = JSON.parse(process.argv[2]);
const data = join(folder, "data");
const owner = user && { uid: user.uid, gid: user.gid };
const options = { cwd: folder, env: { ...process.env, ...env }, ...owner };

mkdirSync(folder, { recursive: true });
if (owner) chownSync(folder, owner.uid, owner.gid);
const made = spawnSync(
  join(binaries, "initdb"),
  ["-D", data, "-A", "trust", "-U", "gatehouse", "--locale=C", "--encoding=UTF8", "--no-sync"],
  { ...options, encoding: "utf8" },
);
if (made.status !== 0) {
  console.error(made.error ?? made.stdout + made.stderr);
  process.exit(1);
}
const log = openSync(join(folder, "log"), "a");
const server = spawn(
  join(binaries, "postgres"),
  ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
  { ...options, stdio: ["ignore", log, log] },
);
closeSync(log);
server.on("exit", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
// SIGINT ends the sessions; SIGQUIT doesn't even wait for that.
process.stdin.on("end", () => server.kill("SIGQUIT"));
process.stdin.resume();
