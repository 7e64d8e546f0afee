import { openRawConnection } from "@/e2e/support/clients/raw-connection";
import { reconcile } from "../../books/reconcile";
import { keepCalling } from "../../clients/keep-calling";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

const MAX_CONCURRENT = 100;
/** The gateway waits ten seconds for a first head, and looks at intervals. */
const MAX_SILENT_SECONDS = 20;
const request = (more = "") => `GET /healthz HTTP/1.1\r\nhost: gateway.test\r\n${more}\r\n`;

export const idleConnections: Scenario = {
  name: "idle-connections",
  does: "{size} connections, of which half send nothing and half rest after a request, beside honest streams",
  full: 2_000,
  smoke: 40,
  async run({ size }) {
    const stage = await startFaultStage({ keyCount: 10 });
    const all: Awaited<ReturnType<typeof openRawConnection>>[] = [];
    const resting: typeof all = [];
    const faults: string[] = [];
    let silent = Math.ceil(size / 2);
    let opened = 0;
    try {
      const noteClosed = async ({ closed }: (typeof all)[number], startedAt: number) => {
        await closed;
        silent--;
        const seconds = (performance.now() - startedAt) / 1_000;
        if (seconds > MAX_SILENT_SECONDS)
          faults.push(`a silent connection was open for ${seconds.toFixed(0)} s`);
      };
      const openOne = async (isSilent: boolean) => {
        const startedAt = performance.now();
        const connection = await openRawConnection(stage.baseUrl);
        all.push(connection);
        if (!isSilent) {
          await connection.send(request());
          resting.push(connection);
          return;
        }
        void noteClosed(connection, startedAt);
      };
      const openAll = async () => {
        while (opened < size) await openOne(opened++ % 2 === 0);
      };
      const opening = Promise.all(Array.from({ length: Math.min(size, MAX_CONCURRENT) }, openAll));
      const calls = await keepCalling(stage, {
        next: () =>
          silent > 0 && {
            model: PLAIN_MODEL.id,
            isStream: true,
            script: { promptTokens: 5, completionTokens: 10, gapMs: 10 },
          },
      });
      await opening;
      const answered = await Promise.all(
        resting.map(async (connection) => {
          await connection.send(request("connection: close\r\n"));
          return (await connection.closed).split("HTTP/1.1 200").length === 3;
        }),
      );
      const unanswered = answered.filter((isAnswered) => !isAnswered).length;
      if (unanswered > 0) faults.push(`${unanswered} of ${resting.length} that rested were not answered`);
      const incomplete = calls.filter(({ isComplete }) => !isComplete).length;
      if (incomplete > 0) faults.push(`${incomplete} of ${calls.length} honest streams broke off`);
      const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
      const { faults: bookFaults, figures } = reconcile(books);
      return { faults: [...faults, ...bookFaults], figures: { ...figures, closed: size - resting.length } };
    } finally {
      for (const connection of all) connection.breakOff();
      await stage.stop();
    }
  },
};
