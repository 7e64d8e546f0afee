import { expect, test } from "bun:test";
import type { Attachment } from "@/components/playground/messages/message";
import { AttachedFiles } from "./attached-files";

const settlePromises = () => new Promise((resolve) => setImmediate(resolve));

/** Reads files when the test says so; `none` can't be attached. */
function openFiles() {
  const held: number[] = [];
  const reads: (() => void)[] = [];
  const reported: string[] = [];
  const read = async (given: readonly File[], heldBytes: number) => {
    held.push(heldBytes);
    await new Promise<void>((resolve) => reads.push(resolve));
    const attachments = given
      .filter(({ name }) => name !== "none")
      .map(({ name }): Attachment => ({ name, mimeType: "text/plain", kind: "text", data: name }));
    return {
      attachments,
      refused: given.filter(({ name }) => name === "none").map(() => "none is a folder"),
    };
  };
  const files = new AttachedFiles((refusal) => reported.push(refusal), read);
  return {
    files,
    held,
    reported,
    attach: (...names: string[]) => files.attach(names.map((name) => new File([], name))),
    async passRead() {
      await settlePromises();
      reads.shift()?.();
      await settlePromises();
    },
    get names() {
      return files.state.attachments.map(({ name }) => name);
    },
  };
}

test("a message waits for the files that are still being read", async () => {
  const one = openFiles();
  one.attach("screenshot");
  expect([one.files.state.isReading, one.names]).toEqual([true, []]);
  const settled = one.files.settle();
  await one.passRead();
  expect([await settled, one.files.state.isReading, one.files.take().length]).toEqual([true, false, 1]);
  expect(one.names).toEqual([]);
  expect(await one.files.settle()).toBe(true);
});

test("files that are dropped while others are being read count on top of them, and go with the next message", async () => {
  const one = openFiles();
  one.attach("first");
  await one.passRead();
  one.attach("second");
  const settled = one.files.settle();
  one.attach("later");
  await one.passRead();
  expect([await settled, one.names]).toEqual([true, ["first", "second"]]);
  one.files.take();
  await one.passRead();
  expect(one.names).toEqual(["later"]);
  one.attach("a");
  one.attach("b");
  await one.passRead();
  await one.passRead();
  expect(one.held.slice(-2)).toEqual(["later".length, "later".length + 1]);
});

test("a message is held back if one of its files can't be attached, and the person is told; the next one isn't", async () => {
  const one = openFiles();
  one.attach("none");
  one.attach("good");
  const settled = one.files.settle();
  await one.passRead();
  await one.passRead();
  expect([await settled, one.reported, one.names]).toEqual([false, ["none is a folder"], ["good"]]);
  one.attach("better");
  const next = one.files.settle();
  await one.passRead();
  expect(await next).toBe(true);
});

test("files that are discarded while they are being read don't appear afterwards", async () => {
  const one = openFiles();
  one.attach("old");
  one.files.discard();
  await one.passRead();
  expect([one.names, one.files.state.isReading]).toEqual([[], false]);
});

test("files that were refused with their message are put back, unless others were added since", async () => {
  const one = openFiles();
  one.attach("first");
  await one.passRead();
  const taken = one.files.take();
  one.files.restore(taken);
  expect(one.names).toEqual(["first"]);
  one.attach("second");
  await one.passRead();
  one.files.restore(taken);
  expect(one.names).toEqual(["first", "second"]);
});

test("files that were put back leave again with their message, unless others were added since", async () => {
  const one = openFiles();
  one.attach("first");
  await one.passRead();
  one.files.restore(one.files.take());
  one.files.dropRestored();
  expect(one.names).toEqual([]);
  one.attach("second");
  await one.passRead();
  one.files.restore(one.files.take());
  one.attach("third");
  await one.passRead();
  one.files.dropRestored();
  expect(one.names).toEqual(["second", "third"]);
});
