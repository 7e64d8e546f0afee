import { setTimeout } from "node:timers/promises";
import { fetchWithKey } from "@/e2e/support/clients/send";
import { until } from "@/e2e/support/clients/until";
import { writeMonth } from "@/e2e/support/stored-data/write-month";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { Statement } from "@/lib/contract/operations/money/statements";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import { parseCheckedAmount } from "@/lib/money/amount";
import { findLedgerFaults } from "../../books/find-ledger-faults";
import { openHolds } from "../../books/read-ledger";
import { keepCalling } from "../../clients/keep-calling";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, type Stage, startFaultStage } from "../../start-stage";

const CLOSERS = 4;
const MIDDLE_OF_MONTH = 15;
/** A busy machine may take this long. */
const TIMEOUT_MS = 240_000;

export const closingKilled: Scenario = {
  name: "closing-killed",
  does: "{size} months are closed, each by four clients at once beside payments, corrections and calls, with kill -9 at any moment",
  full: 24,
  smoke: 3,
  async run({ size, random }) {
    // The first entry decides which month is the first, so nothing is paid before the past months.
    const stage = await startFaultStage({ keyCount: 4, balance: "0" });
    const months = writeLastMonths(stage, size);
    await stage.gateway.restart("SIGKILL");
    let isOver = false;
    let isUp = Promise.resolve();
    // Seeded pauses, so that closings, payments and calls meet in many orders.
    const whileUp = async () => void (await Promise.all([isUp, setTimeout(random.between(0, 20))]));
    const load = Promise.all([
      keepMoneyMoving(stage, () => isOver, whileUp),
      keepCalling(stage, {
        next: () =>
          !isOver && {
            model: PLAIN_MODEL.id,
            isStream: false,
            script: { promptTokens: 10, completionTokens: random.between(1, 5) },
          },
        onReceived: whileUp,
      }),
    ]);
    const faults: string[] = [];
    const seen = new Map<string, string>();
    const look = async (month: string) => {
      const statement = await ask<Statement>(stage, "GET", `/statements/${month}`);
      if (statement?.state !== "closed") return false;
      const text = JSON.stringify(statement);
      if (seen.has(month) && seen.get(month) !== text)
        faults.push(`${month} has changed after it was closed`);
      seen.set(month, text);
      return true;
    };
    try {
      for (const { month } of months) {
        const closing = Promise.all(
          Array.from({ length: CLOSERS }, async () => {
            const close = async () => {
              await whileUp();
              await ask(stage, "POST", `/statements/${month}/close`);
              return look(month);
            };
            await until(`${month} is closed`, close, TIMEOUT_MS);
          }),
        );
        // A seeded moment: nothing is expected to have happened by then.
        await setTimeout(random.between(0, 150));
        const { promise, resolve } = Promise.withResolvers<void>();
        isUp = promise;
        await stage.gateway.restart("SIGKILL");
        resolve();
        await closing;
      }
      isOver = true;
      const [moved] = await load;
      await until("every hold is resolved", () => openHolds(stage.ledger()) === 0, TIMEOUT_MS);
      for (const { month } of months) await look(month);
      const statements = months.flatMap(({ month }) => JSON.parse(seen.get(month) ?? "[]") as Statement);
      faults.push(...findSumFaults(statements), ...findLedgerFaults(stage.ledger()));
      const found = examine(stage.databasePath, Date.now()).flatMap((finding) => finding.faults);
      // The payments of past months were written without their audit events, and doctor says so.
      faults.push(...found.filter((fault) => !fault.includes("txn_paid_month")));
      const events = countCloseEvents(stage.databasePath);
      if (events !== months.length) faults.push(`${events} audit events for ${months.length} closed months`);
      return { faults, figures: { months: statements.length, kills: size, ...moved } };
    } finally {
      isOver = true;
      await stage.stop();
    }
  },
};

/**
 * Writes entries in the last months before this one.
 * @returns the months, oldest first.
 */
function writeLastMonths({ databasePath, projectId }: Stage, count: number): readonly { month: string }[] {
  using database = openSqlite(databasePath, { safeIntegers: true });
  const now = new Date();
  return Array.from({ length: count }, (_, index) => {
    const atMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count + index, MIDDLE_OF_MONTH);
    writeMonth(database, { projectId, atMs, name: `month${index}`, isPaid: true });
    return { month: new Date(atMs).toISOString().slice(0, 7) };
  });
}

/** Pays and takes back, whether the gateway answers or not. */
async function keepMoneyMoving(stage: Stage, isOver: () => boolean, whileUp: () => Promise<void>) {
  let [payments, corrections] = [0, 0];
  while (!isOver()) {
    const paid = await ask<LedgerEntry>(stage, "POST", "/payments", { amount: "2.00", reference: "Chaos" });
    if (paid) {
      payments++;
      const taken = { amount: "0.50", reason: "Chaos" };
      if (await ask(stage, "POST", `/ledger/${paid.id}/corrections`, taken)) corrections++;
    }
    await whileUp();
  }
  return { payments, corrections };
}

/** Null for a refusal, and where the gateway is gone. */
async function ask<Reply>(
  { baseUrl, gateway }: Stage,
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<Reply | null> {
  try {
    const reply = await fetchWithKey(`${baseUrl}/organization${path}`, {
      method,
      key: gateway.adminKey,
      body,
    });
    const value = (await reply.json()) as Reply;
    return reply.ok ? value : null;
  } catch {
    return null;
  }
}

/** Each month adds up, and begins where the one before it ended. */
function findSumFaults(statements: readonly Statement[]): string[] {
  return statements.flatMap((statement, index) => {
    const { opening_balance, payments, charges, corrections = "0", closing_balance } = statement;
    const change =
      parseCheckedAmount(payments) - parseCheckedAmount(charges) + parseCheckedAmount(corrections);
    const isRight = parseCheckedAmount(opening_balance) + change === parseCheckedAmount(closing_balance);
    const before = statements[index - 1];
    const lines = statement.lines.reduce((sum, line) => sum + parseCheckedAmount(line.charges), 0n);
    return [
      ...(isRight ? [] : [`${statement.id} does not add up`]),
      ...(lines === parseCheckedAmount(charges) ? [] : [`The lines of ${statement.id} are not its charges`]),
      ...(!before || before.closing_balance === statement.opening_balance
        ? []
        : [`${statement.id} does not begin where ${before.id} ended`]),
    ];
  });
}

function countCloseEvents(databasePath: string): number {
  using database = openSqlite(databasePath);
  const row = database
    .query<{ count: number }, []>("SELECT count(*) AS count FROM audit_logs WHERE type = 'statement.closed'")
    .get();
  return row?.count ?? 0;
}
