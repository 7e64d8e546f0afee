import { expect, test } from "bun:test";
import fc from "fast-check";
import { createLock } from "../../changes/change";
import { openTemporarySqlite, testRequest } from "../../database/testing/open-temporary-database";
import { createProjectKey, deleteProjectKey } from "../../keys/project-keys";
import { createGroup } from "../../people/groups";
import { createProject } from "../../projects/projects";
import { Refusal } from "../../refusal";
import { CreatedObjects, dumpMemory, openProcess, runtime } from "../testing/open-test-process";
import { owner, tries } from "../testing/test-changes";

/** One of each, so that most later verbs find an object to change. */
const prelude = Object.keys(tries)
  .filter((what) => /^(add|start)/.test(what))
  .toSorted(byNeed);

/** A key needs its project and its role, a model its provider, a session its member. */
function byNeed(a: string, b: string): number {
  const first = ["addProject", "addRole", "addUser", "addGroup", "addProvider"];
  return Number(first.includes(b)) - Number(first.includes(a));
}

const verbs = Object.keys(tries);
/** All verbs in a random order. */
const someRound = fc.shuffledSubarray(verbs, { minLength: verbs.length });
const someSteps = fc
  .tuple(someRound, someRound, someRound, fc.infiniteStream(fc.nat(1_000)))
  .map(([first, second, third, numbers]) =>
    [...first, ...second, ...third].map((what) => {
      const [by = 0, picks = 0, value = 0] = [...numbers.take(3)];
      return { what, by: by % 3, picks, value: value % 12 };
    }),
  );

test("with two writers and a follower, each memory converges to the store", async () => {
  await fc.assert(
    fc.asyncProperty(someSteps, async (steps) => {
      await using store = await openTemporarySqlite();
      const lock = createLock();
      const [one, two, follower] = await Promise.all([1, 2, 3].map(() => openProcess(store.path, lock)));
      if (!one || !two || !follower) throw new Error("not open");
      const created = new CreatedObjects();
      for (const what of prelude)
        await tries[what]?.(one, created, (kind) => created.pickId(kind, 0), prelude.indexOf(what));
      const underWay: Promise<unknown>[] = [];
      for (const { by, what, picks, value } of steps) {
        runtime.pass(1);
        const process = picks % 2 ? one : two;
        const pick = (kind: string) => created.pickId(kind, picks);
        const attempt = tries[what]?.(process, created, pick, value).catch((error: unknown) => {
          if (!(error instanceof Refusal) && !String(error).includes("constraint failed")) throw error;
        });
        underWay.push(Promise.resolve(attempt));
        if (by === 2) underWay.push(follower.feed.catchUp());
        // Some wait for their result, others continue at once.
        if (picks % 3 > 0) await attempt;
      }
      await Promise.all(underWay);
      const fresh = await openProcess(store.path, lock);
      for (const process of [one, two, follower]) await process.feed.catchUp();
      const truth = dumpMemory(fresh, created);
      for (const process of [one, two, follower]) expect(dumpMemory(process, created)).toEqual(truth);
      for (const process of [one, two, follower, fresh]) await process.close();
    }),
    { numRuns: 3, endOnFailure: true },
  );
}, 60_000);

test("a key revoked in one process is refused in another after its next poll, and its calls end", async () => {
  await using store = await openTemporarySqlite();
  const lock = createLock();
  const [one, other] = [await openProcess(store.path, lock), await openProcess(store.path, lock)];
  const { id: projectId } = await createProject(one, testRequest, { name: "P" });
  const creator = { kind: "user", id: "user_1", name: "Ada" } as const;
  const draft = { projectId, name: "K", lifetimeSeconds: null, scope: {}, creator };
  const { key } = await createProjectKey(one, testRequest, owner, draft);
  const knows = () => other.keyCache.find(key.hash, runtime.clock.nowMs())?.key.id;
  expect(knows()).toBeUndefined();
  await other.feed.catchUp();
  expect(knows()).toBe(key.id);
  await deleteProjectKey(one, testRequest, owner, { projectId, id: key.id });
  await other.feed.catchUp();
  expect([knows(), other.ended]).toEqual([undefined, [key.id]]);
  await one.close();
  await other.close();
});

test("a process checks a change against what another has committed, though its caches have not caught up", async () => {
  await using store = await openTemporarySqlite();
  const lock = createLock();
  const [one, other] = [await openProcess(store.path, lock), await openProcess(store.path, lock)];
  await createGroup(one, testRequest, { name: "Team" });
  await expect(createGroup(other, testRequest, { name: "TEAM" })).rejects.toMatchObject({ status: 409 });
  await one.close();
  await other.close();
});
