import { expect, test } from "bun:test";
import { change, createLock } from "../changes/change";
import { testRequest } from "../database/testing/open-temporary-database";
import { notFound, type Refusal } from "../refusal";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { refuseStale } from "./perform-operation";

/** A slow store, so that a write between a check and its write is noticed. */
function slowObject(version: string) {
  let current = version;
  let changes = 0;
  return {
    retrieve: async () => {
      await Bun.sleep(0);
      return { version: current };
    },
    write: async () => {
      await Bun.sleep(0);
      current = `v${++changes}`;
      return { version: current };
    },
  };
}

function createChanges() {
  return {
    lock: createLock(),
    transactions: {
      logPart: async () => [],
      run: <Result>(_: unknown, work: (transaction: never) => Promise<Result>) => work({} as never),
    },
    feed: { catchUp: async () => {} },
    clock: simulatedRuntime().clock,
    logFault: () => {},
  };
}

const edit = { operation: { effect: "edits" }, mayRead: () => true } as const;

function startSaving({ retrieve, write }: ReturnType<typeof slowObject>) {
  const changes = createChanges();
  return (ifMatch: string | null) => {
    const request = {
      ...testRequest,
      refuseStale: () => refuseStale({ ifMatch, ifNoneMatch: null }, { ...edit, retrieve }),
    };
    return change({ changes }, request, write);
  };
}

test("makes one of 20 concurrent changes of the same version", async () => {
  const save = startSaving(slowObject("seen"));
  const saves = Array.from({ length: 20 }, () =>
    save('"seen"').then(
      () => 200,
      (refusal: Refusal) => refusal.status,
    ),
  );
  expect((await Promise.all(saves)).filter((status) => status === 200)).toEqual([200]);
});

test("a save without a version does not write in between either", async () => {
  const save = startSaving(slowObject("seen"));
  const [conditionalSave, unconditionalSave] = [save('"seen"'), save(null)];
  expect([await conditionalSave, await unconditionalSave]).toEqual([{ version: "v1" }, { version: "v2" }]);
});

test("answers 404 to an edit of a missing object, and 412 to a conditional creation", async () => {
  const retrieve = async () => {
    throw notFound("limit", "x", "id");
  };
  const changeStatus = (effect: "edits" | "sets") =>
    refuseStale({ ifMatch: "*", ifNoneMatch: null }, { ...edit, operation: { effect }, retrieve }).catch(
      ({ status, details }: Refusal) => [status, details.current],
    );
  expect(await changeStatus("edits")).toEqual([404, undefined]);
  expect(await changeStatus("sets")).toEqual([412, null]);
});
