import type { StoreClaim } from "../database/store-guard";
import { BalanceCache } from "./balance-cache";
import type { Funds } from "./funds";
import { SqliteFunds } from "./funds.sql";
import type { FromWriter, ToWriter } from "./writer/ledger-operation";
import type { WriterPatience } from "./writer-watch";

/** Starts the writer thread on a migrated database, with a lease of its own. */
export async function openSqliteFunds(options: {
  readonly claim: StoreClaim;
  /** 32 bytes that seal replies for repeats. */
  readonly secret: Uint8Array;
  /** Receives the reason why the store rejects operations; once per reason until it accepts one again. */
  onFailure(reason: string): void;
  /** How long the writer is waited for; by default as calls wait. */
  readonly patience?: WriterPatience;
}): Promise<Funds> {
  const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(new URL("./writer/ledger-worker.ts", import.meta.url));
  const reply = await new Promise<FromWriter>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromWriter>) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    const { claim, secret } = options;
    worker.postMessage({ kind: "open", claim, secret, progress } satisfies ToWriter);
  });
  if (reply.kind !== "opened") throw new Error("The funds did not open");
  const { onFailure, patience } = options;
  return new SqliteFunds(worker, new BalanceCache(reply.stored), onFailure, {
    progress,
    ...(patience && { patience }),
  });
}
