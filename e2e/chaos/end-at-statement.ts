import { Database } from "bun:sqlite";

// A program's preload: it kills its own process before the statement of that number, counted over all of the main
// thread's connections.

let left = Number(process.env.END_AT_STATEMENT);

for (const name of ["run", "prepare", "query"] as const) {
  const original = Database.prototype[name] as (...words: unknown[]) => unknown;
  Object.assign(Database.prototype, {
    [name](this: Database, ...words: unknown[]) {
      if (--left <= 0) process.kill(process.pid, "SIGKILL");
      return original.apply(this, words);
    },
  });
}
