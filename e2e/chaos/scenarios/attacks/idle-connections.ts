import { openRawConnection } from "@/e2e/support/clients/raw-connection";
import { reconcile } from "../../books/reconcile";
import { keepCalling } from "../../clients/keep-calling";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

/** The cap exempts the machine's own address, so the caller has another. */
const CALLER = "127.0.0.2";
const MAX_CONCURRENT = 100;

export const idleConnections: Scenario = {
  name: "idle-connections",
  does: "{size} connections of one address that rest, of which it may have a quarter, beside honest streams",
  full: 2_000,
  smoke: 40,
  async run({ size }) {
    const share = size / 4;
    const stage = await startFaultStage({
      keyCount: 10,
      env: { GATEHOUSE_MAX_CONNECTIONS_PER_ADDRESS: String(share) },
    });
    const resting = new Set<Awaited<ReturnType<typeof openRawConnection>>>();
    try {
      let opened = 0;
      let isOpening = true;
      const openAll = async () => {
        while (opened < size) {
          opened++;
          const connection = await openRawConnection(stage.baseUrl, CALLER);
          await connection.send("GET /healthz HTTP/1.1\r\nhost: gateway.test\r\n\r\n");
          resting.add(connection);
          void connection.closed.then(() => resting.delete(connection));
        }
      };
      const opening = Promise.all(Array.from({ length: MAX_CONCURRENT }, openAll)).finally(() => {
        isOpening = false;
      });
      const calls = await keepCalling(stage, {
        next: () =>
          (isOpening || resting.size > share) && {
            model: PLAIN_MODEL.id,
            isStream: true,
            script: { promptTokens: 5, completionTokens: 10, gapMs: 10 },
          },
      });
      await opening;
      const left = [...resting];
      const answered = await Promise.all(
        left.map(async (connection) => {
          await connection.send("GET /healthz HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n\r\n");
          return (await connection.closed).split("HTTP/1.1 200").length === 3;
        }),
      );
      const unanswered = answered.filter((isAnswered) => !isAnswered).length;
      const incomplete = calls.filter(({ isComplete }) => !isComplete).length;
      const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
      const { faults, figures } = reconcile(books);
      return {
        faults: [
          ...faults,
          ...(left.length === share ? [] : [`${left.length} connections are left, not ${share}`]),
          ...(unanswered > 0 ? [`${unanswered} of those that are left were not answered`] : []),
          ...(incomplete > 0 ? [`${incomplete} of ${calls.length} honest streams broke off`] : []),
        ],
        figures: { ...figures, closed: size - left.length },
      };
    } finally {
      for (const connection of resting) connection.breakOff();
      await stage.stop();
    }
  },
};
