import { expect, test } from "bun:test";
import { ReplyMemory, ReplyPace, type ReplyShare, type Waiting } from "./reply-memory";

const MOST = { bytes: 100, reply: 40, timeoutMs: 60_000 };

const patient: Waiting = { notePause: () => {}, allowedPauseMs: () => 60_000, giveUpWith: () => {} };

/** The outcomes of each reply's waits, in order. */
function follow(waits: Record<string, Promise<void> | null>): string[] {
  const told: string[] = [];
  for (const [name, wait] of Object.entries(waits)) {
    wait?.then(
      () => told.push(`${name} has room`),
      (error: unknown) => told.push(`${name}: ${error}`),
    );
  }
  return told;
}

test("replies share the memory not reserved for the oldest, which always has room for the longest reply", async () => {
  const memory = new ReplyMemory(MOST);
  const [oldest, second] = [memory.newShare(), memory.newShare()];
  expect(oldest.growTo(20, patient)).toBeNull();
  expect(second.growTo(40, patient)).toBeNull();
  const wait = second.growTo(41, patient);
  expect(wait).not.toBeNull();
  expect(oldest.growTo(40, patient)).toBeNull();
  expect(memory.heldBytes).toBe(80);
  oldest.release();
  await wait;
});

test("waiting replies are admitted by age", async () => {
  const memory = new ReplyMemory(MOST);
  const [oldest, second, third] = [memory.newShare(), memory.newShare(), memory.newShare()];
  oldest.growTo(30, patient);
  second.growTo(20, patient);
  const told = follow({ second: second.growTo(35, patient), third: third.growTo(10, patient) });
  await Bun.sleep(0);
  expect(told).toEqual([]);
  oldest.release();
  await Bun.sleep(0);
  expect(told).toEqual(["second has room", "third has room"]);
  expect(memory.heldBytes).toBe(45);
});

test("any number of replies that grow at once come to their end, and never hold more than there is", async () => {
  const memory = new ReplyMemory(MOST);
  let max = 0;
  const grow = async (share: ReplyShare) => {
    for (let bytes = 1; bytes <= MOST.reply; bytes++) {
      await share.growTo(bytes, patient);
      max = Math.max(max, memory.heldBytes);
    }
    share.rest();
    await Bun.sleep(0);
    share.release();
  };
  await Promise.all(Array.from({ length: 50 }, () => grow(memory.newShare())));
  expect(max).toBeLessThanOrEqual(MOST.bytes);
  expect(max).toBeGreaterThan(MOST.bytes - MOST.reply);
  expect(memory.heldBytes).toBe(0);
});

test("a reply that is there whole and not yet taken leaves its turn to the next", () => {
  const memory = new ReplyMemory(MOST);
  const [taken, next] = [memory.newShare(), memory.newShare()];
  taken.growTo(40, patient);
  taken.rest();
  expect(next.growTo(40, patient)).toBeNull();
});

test("a wait that takes too long ends with a refusal, and the next reply continues", async () => {
  const memory = new ReplyMemory(MOST);
  const [oldest, second, third] = [memory.newShare(), memory.newShare(), memory.newShare()];
  oldest.growTo(40, patient);
  second.growTo(20, patient);
  const refused = second.growTo(30, { ...patient, allowedPauseMs: () => 0 });
  const waiting = third.growTo(20, patient);
  await expect(refused).rejects.toMatchObject({ status: 503, code: "too_much_at_once" });
  second.release();
  await waiting;
  expect(memory.heldBytes).toBe(60);
});

test("each pause is noted once, whether for memory or for the pace, before its length is asked", async () => {
  const pace = new ReplyPace({ monotonicMs: () => 0, wait: async () => {} });
  const memory = new ReplyMemory({ ...MOST, bytes: 100_000_000, reply: 1_000 }, pace);
  const asked: string[] = [];
  const waiting: Waiting = {
    ...patient,
    notePause: () => void asked.push("noted"),
    allowedPauseMs: () => (asked.push("asked"), 0),
  };
  expect(memory.newShare().growTo(10_000_000, waiting)).toBeNull();
  expect(asked).toEqual([]);
  await memory.newShare().growTo(1, waiting);
  expect(asked).toEqual(["noted"]);
  const full = new ReplyMemory(MOST);
  full.newShare().growTo(40, patient);
  const wait = full.newShare().growTo(70, waiting);
  expect(asked).toEqual(["noted", "noted", "asked"]);
  await expect(wait).rejects.toMatchObject({ code: "too_much_at_once" });
});

test("a wait ends with its call", async () => {
  const memory = new ReplyMemory(MOST);
  const [oldest, second] = [memory.newShare(), memory.newShare()];
  oldest.growTo(40, patient);
  second.growTo(20, patient);
  let cut: (() => void) | null = null;
  const wait = second.growTo(30, {
    ...patient,
    giveUpWith: (giveUp) => {
      cut = giveUp ?? cut;
    },
  });
  (cut as (() => void) | null)?.();
  await expect(wait).rejects.toThrow("ended");
  second.release();
  second.release();
  expect(memory.heldBytes).toBe(40);
});
