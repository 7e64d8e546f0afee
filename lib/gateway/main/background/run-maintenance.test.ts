import { expect, test } from "bun:test";
import { createLock } from "../../changes/change";
import { openTemporarySqlite, testRequest } from "../../database/testing/open-temporary-database";
import { changeProject, createProject } from "../../projects/projects";
import { openProcess } from "../testing/open-test-process";
import { FOLLOW_MS, followOthers, type StartInterval } from "./run-maintenance";

/** A timer on a clock of its own. */
function simulatedTimer() {
  let nowMs = 0;
  const timers = new Map<() => void, { ms: number; dueMs: number }>();
  const every: StartInterval = (ms, action) => {
    timers.set(action, { ms, dueMs: nowMs + ms });
    return () => void timers.delete(action);
  };
  const pass = (ms: number) => {
    nowMs += ms;
    for (const [action, timer] of timers) {
      for (; timer.dueMs <= nowMs; timer.dueMs += timer.ms) action();
    }
  };
  return { every, pass };
}

test("follows another process's changes every quarter of a second, after failed polls too, until it is stopped", async () => {
  await using store = await openTemporarySqlite();
  const lock = createLock();
  const [one, other] = [await openProcess(store.path, lock), await openProcess(store.path, lock)];
  const { every, pass } = simulatedTimer();
  const faults: unknown[] = [];
  let isAway = false;
  const looks: Promise<void>[] = [];
  const feed = {
    catchUp() {
      const look = isAway ? Promise.reject(new Error("disk")) : other.feed.catchUp();
      looks.push(look);
      return look;
    },
  };
  const end = followOthers(feed, FOLLOW_MS, (...fault) => void faults.push(fault), every);
  const { id } = await createProject(one, testRequest, { name: "P" });
  const nameAfter = async (ms: number) => {
    pass(ms);
    await Promise.allSettled(looks);
    return other.projectCache.find(id)?.name;
  };
  expect(await nameAfter(249)).toBeUndefined();
  expect(await nameAfter(1)).toBe("P");

  await changeProject(one, testRequest, id, { name: "Q" });
  isAway = true;
  expect(await nameAfter(FOLLOW_MS)).toBe("P");
  expect(faults).toEqual([["feed of changes", new Error("disk")]]);
  isAway = false;
  expect(await nameAfter(FOLLOW_MS)).toBe("Q");

  end();
  await changeProject(one, testRequest, id, { name: "R" });
  expect(await nameAfter(10 * FOLLOW_MS)).toBe("Q");
  await one.close();
  await other.close();
});
