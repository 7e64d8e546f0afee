import { expect, test } from "bun:test";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { parseCsv } from "@/lib/contract/csv";
import type { Statement, StatementLine } from "@/lib/contract/operations/money/statements";
import { formatAmount, toNano } from "@/lib/money/amount";
import { writeStatement, writeStatementJson } from "./statement-screen";
import {
  byModel,
  byProject,
  listStatementProjects,
  sumAllLines,
  sumLinesBy,
  sumProject,
} from "./sum-statement";

// An unrelated library, with more digits than any sum here has.
const Exact = Decimal.clone({ precision: 60 });
const amount = fc.bigInt({ min: 0n, max: 10n ** 15n }).map((nano) => formatAmount(toNano(nano)));
const tokens = fc.nat(1_000_000_000);
const line: fc.Arbitrary<StatementLine> = fc.record({
  project_id: fc.constantFrom("proj_1", "proj_2", "proj_3"),
  project_name: fc.constantFrom("Search", null),
  model: fc.constantFrom("mini", "painter"),
  calls: tokens,
  prompt_tokens: tokens,
  completion_tokens: tokens,
  charges: amount,
});
const lists = fc.array(line, { maxLength: 20 });
const sumLines = (amounts: readonly string[]) =>
  amounts.reduce((sum, one) => sum.plus(one), new Exact(0)).toFixed();
const plain = (decimal: string) => new Exact(decimal).toFixed();

test("subtotals by model and by project add up to the total, as an independent library adds the lines", () => {
  fc.assert(
    fc.property(lists, (lines) => {
      const total = sumAllLines(lines);
      expect(plain(total.charges)).toBe(sumLines(lines.map(({ charges }) => charges)));
      for (const by of [byModel, byProject]) {
        const subtotals = sumLinesBy(lines, by);
        expect(sumLines(subtotals.map(({ charges }) => charges))).toBe(plain(total.charges));
        expect(subtotals.reduce((sum, { calls }) => sum + calls, 0)).toBe(total.calls);
        for (const { id, charges } of subtotals) {
          const own = lines.filter((one) => by(one).id === id);
          expect(plain(charges)).toBe(sumLines(own.map((one) => one.charges)));
        }
      }
    }),
  );
});

test("a project's cost is its charges less its own corrections, as an independent library computes it", () => {
  const entry = fc.record({
    project_id: fc.constantFrom("proj_1", "proj_2", null),
    amount: fc
      .tuple(amount, fc.boolean())
      .map(([size, isTaken]) => (isTaken && size !== "0.00" ? `-${size}` : size)),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 10 }), amount, (entries, charges) => {
      const statement = { correction_entries: entries } as unknown as Statement;
      const { corrections, cost } = sumProject(statement, "proj_1", charges);
      const own = entries.filter(({ project_id }) => project_id === "proj_1").map((one) => one.amount);
      expect(plain(cost)).toBe(new Exact(charges).minus(sumLines(own)).toFixed());
      expect(corrections === null ? null : plain(corrections)).toBe(
        own.length === 0 ? null : new Exact(0).minus(sumLines(own)).toFixed(),
      );
    }),
  );
});

test("the CSV's rows between opening and closing balance add up to their difference, whatever names contain", () => {
  const names = fc.constantFrom("=1+1", 'a "quoted", name', "new\nline", "@SUM(A1)", null);
  fc.assert(
    fc.property(lists, amount, amount, amount, names, (lines, opening, payment, correction, name) => {
      const charges = lines.map((one) => one.charges);
      const closing = sumLines([opening, payment, `-${correction}`, ...charges.map((one) => `-${one}`)]);
      const statement = {
        id: "2026-10",
        currency: "USD",
        opening_balance: opening,
        closing_balance: closing,
        payment_entries: [{ id: "txn_1", created_at: 1_790_812_800, reference: name, amount: payment }],
        correction_entries: [
          { created_at: 1_790_812_800, amount: `-${correction}`, reason: "Twice", corrects: "txn_1" },
        ],
        lines: lines.map((one) => ({ ...one, project_name: name })),
      } as unknown as Statement;
      const [head, ...rows] = parseCsv(writeStatement(statement, null)).rows;
      const index = head?.cells.indexOf("amount") ?? -1;
      const amounts = rows.map(({ cells }) => cells[index] ?? "");
      expect(sumLines(amounts.slice(0, -1))).toBe(plain(amounts.at(-1) ?? ""));
      expect(rows).toHaveLength(lines.length + 4);
    }),
  );
});

test("a project's statement as JSON has its lines and sums, and not the digest of the whole", () => {
  const charged = { project_id: "proj_1", project_name: "Search", model: "mini", charges: "1.50" };
  const statement = {
    id: "2026-10",
    state: "closed",
    digest: "abc",
    closing_balance: "9.00",
    lines: [charged, { ...charged, project_id: "proj_2" }],
    correction_entries: [
      { project_id: "proj_1", amount: "0.25" },
      { project_id: null, amount: "-1.00" },
    ],
  } as unknown as Statement;
  const written = JSON.parse(writeStatementJson(statement, "proj_1"));
  expect(written).toMatchObject({
    object: "project_statement",
    id: "2026-10",
    project: { id: "proj_1", name: "Search" },
    charges: "1.50",
    corrections: "-0.25",
    cost: "1.25",
    lines: [charged],
    correction_entries: [{ project_id: "proj_1", amount: "0.25" }],
  });
  expect(written).not.toHaveProperty("digest");
  expect(written).not.toHaveProperty("closing_balance");
  expect(JSON.parse(writeStatementJson(statement, null))).toEqual(JSON.parse(JSON.stringify(statement)));
});

test("a project with nothing but a correction in a month is among those of its statement, by its name", () => {
  const charged = { project_id: "proj_1", project_name: "Search", model: "mini", charges: "1.00" };
  const corrected = { project_id: "proj_2", project_name: "Bot", corrects: "txn_1" };
  const payment = { project_id: null, project_name: null, corrects: "txn_2" };
  const statement = { lines: [charged], correction_entries: [corrected, payment, charged] };
  expect(listStatementProjects(statement as unknown as Statement)).toEqual([
    { id: "proj_1", name: "Search" },
    { id: "proj_2", name: "Bot" },
  ]);
});
