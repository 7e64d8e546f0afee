import { expect, test } from "bun:test";
import { openTemporaryDatabase, testRequest } from "../../database/testing/open-temporary-database";
import { BackgroundResponseStore } from "../../log/responses/background-response-store.sql";
import { createResponseStore } from "../../log/responses/response-store.sql";
import { notFound, Refusal } from "../../refusal";
import { BackgroundResponses } from "./background-responses";
import { toResponseId } from "./response-events";
import { UNKEPT_TURN } from "./turn";

const MAX = 4;
const PROJECT = "proj_1";
const sealing = {
  key: new Uint8Array(32).fill(1),
  random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)),
};

/** A store, and processes that answer on it. */
async function open() {
  const store = await openTemporaryDatabase();
  const changes = await store.changes();
  const responseStore = createResponseStore(store.reads, sealing);
  const backgroundResponseStore = new BackgroundResponseStore(store.reads, sealing);
  const faults: unknown[] = [];
  let last = 0;
  const newRequestId = () => `req_${String(++last).padStart(26, "0")}`;
  function openProcess(owner: string, isAlone = false) {
    const responses = new BackgroundResponses(
      { changes, responseStore, backgroundResponseStore },
      {
        owner,
        isAlone,
        maxUnderWay: MAX,
        clock: changes.clock,
        callbackHosts: [],
        logFault: (_, error) => void faults.push(error),
      },
    );
    /** Begins a response whose call is let in at once, or refused, and says nothing until its client leaves. */
    async function begin({ refusal, key }: { refusal?: Refusal; key?: string } = {}) {
      const requestId = newRequestId();
      const early = Promise.withResolvers<Response>();
      const stopped = Promise.withResolvers<void>();
      const repeated: string[] = [];
      const requestContext = {
        requestId,
        clientSignal: new AbortController().signal,
        answerEarly: early.resolve,
        outliveClient: (signal: AbortSignal) => signal.addEventListener("abort", () => stopped.resolve()),
      };
      const incoming = {
        requestContext,
        projectId: PROJECT,
        request: { fields: { model: "m" } },
        caller: { permissionsIn: () => new Set() },
        idempotency: key ? { scope: PROJECT, key, bodyHash: "hash" } : null,
      };
      const turn = {
        ...UNKEPT_TURN,
        isKept: true,
        input: '"Hi"',
        background: { asked: {}, isStreamed: false, callbackUrl: null },
      };
      const answered = responses.answer(
        incoming as never,
        turn,
        async ({ noteAdmitted }) => {
          if (refusal) throw refusal;
          noteAdmitted?.();
          return new Response(new ReadableStream());
        },
        async (id) => {
          repeated.push(id);
          return new Response();
        },
      );
      await Promise.race([early.promise, answered]);
      return { id: repeated[0] ?? toResponseId(requestId), stopped: stopped.promise };
    }
    const find = async (id: string) => {
      const found = await responseStore.find(id);
      if (found) return found;
      throw notFound("response", id, "response_id");
    };
    return { responses, begin, cancel: (id: string) => responses.cancel(testRequest, () => find(id)) };
  }
  return {
    openProcess,
    faults,
    lease: (owner: string) =>
      store.direct
        .insertInto("leases")
        .values({ owner, ends_at_ms: 2 ** 45 })
        .execute(),
    find: async (id: string) => (await responseStore.find(id))?.background ?? null,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

const failed = { status: "failed", isRunning: false };

test("a project has at most so many under way, however they come", async () => {
  await using store = await open();
  const { responses, begin } = store.openProcess("one", true);
  const begun = await Promise.allSettled(Array.from({ length: MAX + 3 }, () => begin()));
  const refusals = begun.flatMap((one) => (one.status === "rejected" ? [one.reason as Refusal] : []));
  expect(refusals.map(({ status, code }) => `${status} ${code}`)).toEqual(Array(3).fill("429 concurrency"));
  await responses.close();
  expect(await Promise.resolve(begin()).then(({ id }) => store.find(id))).toMatchObject({ isRunning: true });
  await responses.close();
});

test("what a process leaves behind ends as failed in another one, unless it still has its lease", async () => {
  await using store = await open();
  const [gone, alive, other] = ["gone", "alive", "other"].map((owner) => store.openProcess(owner)) as [
    ReturnType<typeof store.openProcess>,
    ReturnType<typeof store.openProcess>,
    ReturnType<typeof store.openProcess>,
  ];
  await store.lease("alive");
  const [lost, kept] = [await gone.begin(), await alive.begin()];
  await other.responses.takeOver();
  expect(await store.find(lost.id)).toEqual(failed as never);
  expect(await store.find(kept.id)).toMatchObject({ isRunning: true });
  // The process was only slow: it can't change what the other one has ended.
  await gone.responses.close();
  expect(await store.find(lost.id)).toEqual(failed as never);
  await alive.responses.close();
  const next = store.openProcess("next", true);
  await next.responses.takeOver();
  expect(store.faults).toEqual([]);
});

test("one that another process cancels is stopped by its own", async () => {
  await using store = await open();
  const [one, other] = [store.openProcess("one"), store.openProcess("other")];
  const { id, stopped } = await one.begin();
  expect((await other.cancel(id)).response.status).toBe("cancelled");
  await one.responses.sweep();
  await stopped;
  await one.responses.ended();
  expect(await store.find(id)).toEqual({ status: "cancelled", isRunning: false });
  expect((await one.cancel(id)).response.status).toBe("cancelled");
});

test("a call that is refused leaves nothing, and its key is free for the next one", async () => {
  await using store = await open();
  const { responses, begin } = store.openProcess("one", true);
  const refusal = new Refusal(402, "insufficient_balance", "insufficient_balance", "Pay first");
  await expect(begin({ refusal, key: "k" })).rejects.toBe(refusal);
  expect(await store.find(toResponseId(`req_${"1".padStart(26, "0")}`))).toBeNull();
  const [, first, second] = await Promise.all([begin(), begin({ key: "k" }), begin({ key: "k" })]);
  expect(second?.id).toBe(String(first?.id));
  await responses.close();
  expect(await store.find(String(first?.id))).toEqual(failed as never);
});
