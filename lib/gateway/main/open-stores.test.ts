import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { ZERO } from "@/lib/money/amount";
import { BY_SYSTEM } from "../changes/change";
import { hashSecret } from "../secrets/secret";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { openStores } from "./open-stores";

test("a first start that fails half-way gives its data folder back, so that the next one can take it", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "open-stores-"));
  const runtime = simulatedRuntime();
  let drawn = 0;
  let fails = true;
  const random = (bytes: number) => {
    // The name of the process is drawn first, and the ids of the first rows once the funds are open.
    if (fails && drawn++ > 0) throw new Error("A fault of the machine");
    return runtime.random(bytes);
  };
  const options = {
    dataFolder,
    secret: new Uint8Array(32),
    adminKey: null,
    openingBalance: ZERO,
    runtime: { ...runtime, random },
    logFault: () => {},
  };
  await expect(openStores(options)).rejects.toThrow("A fault of the machine");
  fails = false;
  const stores = await openStores(options);
  expect(stores.firstStart).not.toBeNull();
  expect(await readdir(dataFolder)).toContain("gatehouse.sqlite-wal");
  await stores.close();
  // Whoever copies the folder now, or starts on it, finds the whole database in its file.
  expect((await readdir(dataFolder)).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  await rm(dataFolder, { recursive: true });
});

test("each start makes another sign-in link until somebody has got in, unless the first key was given", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "open-stores-"));
  const runtime = simulatedRuntime();
  const openAgain = async (adminKey: string | null = null) => {
    const options = { dataFolder, secret: new Uint8Array(32), adminKey, openingBalance: ZERO, runtime };
    return openStores({ ...options, logFault: () => {} });
  };
  const tokens = new Set<string>();
  for (const isFirst of [true, false, false]) {
    const stores = await openAgain();
    expect(stores.firstStart?.adminKey).toEqual(isFirst ? expect.stringContaining("gk_admin_") : null);
    tokens.add(stores.firstStart?.signInToken ?? "");
    await stores.close();
  }
  expect(tokens.size).toBe(3);
  const given = await openAgain("whoever chose the key has it");
  expect(given.firstStart).toBeNull();
  const [, , last = ""] = tokens;
  const { sessions, transactions } = given;
  const event = { ...BY_SYSTEM, type: otherEvents.systemChanged, atMs: runtime.clock.nowMs() };
  const redeemed = await transactions.run(event, (transaction) =>
    sessions.redeemSignInToken(transaction, hashSecret(last), runtime.clock.nowMs()),
  );
  expect(redeemed).not.toBeNull();
  await given.close();
  const later = await openAgain();
  expect(later.firstStart).toBeNull();
  await later.close();
  await rm(dataFolder, { recursive: true });
});
