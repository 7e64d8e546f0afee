import { expect, test } from "bun:test";
import { oneAtATime } from "../ports/one-at-a-time";
import { notFound, type Refusal } from "../ports/refusal";
import { changeUnlessStale } from "./change-unless-stale";

/** A store that takes its time: whoever writes between a check and its write is seen. */
function slowObject(version: string) {
  let current = version;
  let changes = 0;
  return {
    retrieve: async () => {
      await Bun.sleep(0);
      return { version: current };
    },
    change: async () => {
      await Bun.sleep(0);
      current = `v${++changes}`;
      return { version: current };
    },
  };
}

const edit = { operation: { effect: "edits" }, mayRead: () => true } as const;

test("nobody writes between the check and the change: of 20 at once one is made", async () => {
  const inTurn = oneAtATime();
  const object = slowObject("seen");
  const saves = Array.from({ length: 20 }, () =>
    changeUnlessStale(inTurn, { ...edit, ...object, ifMatch: '"seen"' }).then(
      () => 200,
      (refusal: Refusal) => refusal.status,
    ),
  );
  expect((await Promise.all(saves)).filter((status) => status === 200)).toEqual([200]);
});

test("one who names no version does not write in between either", async () => {
  const inTurn = oneAtATime();
  const object = slowObject("seen");
  const named = changeUnlessStale(inTurn, { ...edit, ...object, ifMatch: '"seen"' });
  const unnamed = changeUnlessStale(inTurn, { ...edit, ...object, ifMatch: null });
  expect([await named, await unnamed]).toEqual([{ version: "v1" }, { version: "v2" }]);
});

test("a change that takes turns of its own is one turn", async () => {
  const inTurn = oneAtATime();
  const object = slowObject("seen");
  const change = () => inTurn(object.change);
  expect(await changeUnlessStale(inTurn, { ...edit, ...object, change, ifMatch: "*" })).toEqual({
    version: "v1",
  });
});

test("what is not there is a 404 to an edit, and 412 to what would make it", async () => {
  const retrieve = async () => {
    throw notFound("limit", "x", "id");
  };
  const statusOf = (effect: "edits" | "sets") =>
    changeUnlessStale(oneAtATime(), {
      ...edit,
      ...slowObject("seen"),
      operation: { effect },
      retrieve,
      ifMatch: "*",
    }).catch(({ status, details }: Refusal) => [status, details.current]);
  expect(await statusOf("edits")).toEqual([404, undefined]);
  expect(await statusOf("sets")).toEqual([412, null]);
});
