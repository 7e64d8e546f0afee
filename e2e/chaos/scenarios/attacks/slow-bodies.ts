import { openRawConnection, requestText } from "@/e2e/support/clients/raw-connection";
import { reconcile } from "../../books/reconcile";
import { keepCalling } from "../../clients/keep-calling";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, type Stage, startFaultStage } from "../../start-stage";

const TRICKLE_MS = 500;
/**
 * The gateway closes a connection after 10 seconds without a whole head, or of a slow body. Both check only at
 * intervals.
 */
const MAX_SECONDS = 20;

type Send = (stage: Stage) => string;

/** The beginnings of the requests, after which one byte at a time follows. */
const beginnings: readonly Send[] = [
  () => "GET /healthz HTTP/1.1\r\nhost: gateway.test\r\nx-slow: ",
  () => requestText("/v1/organization/sign_in", { body: '{"email":"', length: 10_000 }),
  ({ keys }) => requestText("/v1/chat/completions", { key: keys[0]?.value ?? "", body: "{", length: 10_000 }),
  ({ keys }) =>
    requestText("/v1/chat/completions", { key: keys[0]?.value ?? "", body: "{", length: 10_000_000 }),
];

export const slowBodies: Scenario = {
  name: "slow-bodies",
  does: "{size} connections whose heads and bodies come a byte at a time, beside honest calls",
  full: 1_000,
  smoke: 20,
  async run({ size }) {
    const stage = await startFaultStage({ keyCount: 10 });
    try {
      const faults: string[] = [];
      let open = size;
      const slow = Array.from({ length: size }, async (_, index) => {
        const seconds = await trickle(stage, beginnings[index % beginnings.length] as Send);
        open--;
        if (seconds > MAX_SECONDS) faults.push(`connection ${index} was open for ${seconds.toFixed(0)} s`);
      });
      const calls = await keepCalling(stage, {
        next: () =>
          open > 0 && {
            model: PLAIN_MODEL.id,
            isStream: true,
            script: { promptTokens: 5, completionTokens: 10, gapMs: 10 },
          },
      });
      await Promise.all(slow);
      const incomplete = calls.filter(({ isComplete }) => !isComplete);
      if (incomplete.length > 0)
        faults.push(`${incomplete.length} of ${calls.length} honest calls were not answered`);
      const books = reconcile({
        calls,
        invoices: stage.invoices(),
        ledger: stage.ledger(),
        models: stage.models,
      });
      return { faults: [...faults, ...books.faults], figures: books.figures };
    } finally {
      await stage.stop();
    }
  },
};

/** @returns the seconds until the gateway closed the connection. */
async function trickle(stage: Stage, beginning: Send): Promise<number> {
  const startedAt = performance.now();
  const connection = await openRawConnection(stage.baseUrl);
  await connection.send(beginning(stage));
  const timer = setInterval(() => void connection.send("x"), TRICKLE_MS);
  await connection.closed;
  clearInterval(timer);
  return (performance.now() - startedAt) / 1_000;
}
