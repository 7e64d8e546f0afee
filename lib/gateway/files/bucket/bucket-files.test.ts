import { expect, test } from "bun:test";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Transaction } from "../../changes/transactions.sql";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import type { LocalFiles, StoredFile } from "../file-storage";
import { type Bucket, BucketFault } from "./bucket";
import { BucketFiles } from "./bucket-files";

const FILE = { bytes: 4, mimeType: "text/plain" };

/** A disk with a file for each id, and a bucket that refuses those of some. */
function openStores(
  ids: readonly string[],
  isRefused: (id: string) => boolean,
  { localBytes = FILE.bytes, isShared = false } = {},
) {
  const here = new Set(ids);
  const objects = new Map<string, number>();
  const runtime = simulatedRuntime();
  const faults: unknown[] = [];
  const local = {
    ids: async () => [...here],
    open: async () => ({ bytes: localBytes }) as StoredFile,
    write: async (id: string) => {
      here.add(id);
      return localBytes;
    },
    findPath: (id: string) => id,
    delete: async (id: string) => void here.delete(id),
  } as unknown as LocalFiles;
  const bucket = {
    name: "s3://outputs",
    async put(key: string, { bytes }: { bytes: number }) {
      if (isRefused(key)) throw new BucketFault("s3://outputs answered 403.");
      objects.set(key, bytes);
    },
    findSize: async (key: string) => objects.get(key) ?? null,
  } as unknown as Bucket;
  const files = new BucketFiles({
    local,
    bucket,
    find: async () => ({ files: [FILE], mayLeave: true }),
    digests: { find: async () => null, save: async () => {}, delete: async () => {} },
    write: (work) => work({} as Transaction),
    clock: runtime.clock,
    isShared,
    logFault: (_, error) => faults.push(error),
  });
  return { files, here, objects, runtime, faults };
}

test("files that the bucket refuses don't keep the others here", async () => {
  const refused = ["a", "b", "c", "d"];
  const { files, here, objects, runtime, faults } = openStores([...refused, "e", "f"], (key) =>
    refused.some((id) => key.startsWith(id)),
  );
  for (let round = 0; round < 4; round++) {
    await files.uploadDue();
    runtime.pass(MINUTE_MS);
  }
  expect([...objects.keys()]).toEqual(["e/0", "f/0"]);
  expect([...here]).toEqual(refused);
  expect(faults).toHaveLength(1);
});

test("a refused file moves once the bucket takes it", async () => {
  let isDown = true;
  const { files, here, runtime } = openStores(["a", "b", "c", "d"], () => isDown);
  await files.uploadDue();
  isDown = false;
  for (let round = 0; round < 2; round++) {
    runtime.pass(MINUTE_MS);
    await files.uploadDue();
  }
  expect([...here]).toEqual([]);
});

test("a file that is longer here than it should be is logged and stays, unless the bucket has it whole", async () => {
  const { files, here, objects, runtime, faults } = openStores(["a", "b"], () => false, {
    localBytes: FILE.bytes + 1,
  });
  objects.set("b/0", FILE.bytes);
  for (let round = 0; round < 3; round++) {
    await files.uploadDue();
    runtime.pass(MINUTE_MS);
  }
  expect([...here]).toEqual(["a"]);
  expect(String(faults[0])).toContain("a/0 has 5 bytes on this disk instead of 4");
});

test("a part that was written here before another gateway took over isn't read in place of the whole", async () => {
  const { files, objects } = openStores(["a"], () => false, { localBytes: FILE.bytes - 1 });
  expect(await files.open("a", 0)).toBeNull();
  objects.set("a/0", FILE.bytes);
  expect((await files.open("a", 0))?.bytes).toBe(FILE.bytes);
});

test("what other gateways read is in the bucket once it is written, or follows when the bucket answers again", async () => {
  let isDown = false;
  const { files, here, objects, runtime, faults } = openStores([], () => isDown, { isShared: true });
  await files.write("a", 0, new Blob(["text"]).stream());
  isDown = true;
  await files.write("b", 0, new Blob(["text"]).stream());
  expect([...objects.keys()]).toEqual(["a/0"]);
  expect(faults).toHaveLength(1);
  isDown = false;
  for (let round = 0; round < 2; round++) {
    await files.uploadDue();
    runtime.pass(MINUTE_MS);
  }
  expect([...objects.keys()]).toEqual(["a/0", "b/0"]);
  expect([...here]).toEqual([]);
});

test("a file that another gateway has yet to upload isn't said to be missing", async () => {
  const { files, objects } = openStores(["a"], () => false, { localBytes: FILE.bytes - 1, isShared: true });
  expect(files.open("a", 0)).rejects.toMatchObject({ status: 503 });
  objects.set("a/0", FILE.bytes);
  expect((await files.open("a", 0))?.bytes).toBe(FILE.bytes);
});
