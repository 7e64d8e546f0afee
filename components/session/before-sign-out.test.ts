import { expect, test } from "bun:test";
import { finishBeforeSignOut, registerBeforeSignOut } from "./page-person";

test("a sign-out waits for what needs the session, and goes on if that fails", async () => {
  const done: string[] = [];
  const save = Promise.withResolvers<void>();
  const leaves = [
    registerBeforeSignOut(() => save.promise.then(() => done.push("saved"))),
    registerBeforeSignOut(() => Promise.reject(new Error("The console is gone."))),
    registerBeforeSignOut(() => {
      throw new Error("A fault.");
    }),
  ];
  const finished = finishBeforeSignOut().then(() => done.push("finished"));
  save.resolve();
  await finished;
  expect(done).toEqual(["saved", "finished"]);
  for (const leave of leaves) leave();
});

test("what has been left isn't done any more", async () => {
  let runs = 0;
  registerBeforeSignOut(async () => runs++)();
  await finishBeforeSignOut();
  expect(runs).toBe(0);
});
