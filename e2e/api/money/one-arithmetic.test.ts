import { expect, test } from "bun:test";
import { usageDimensions } from "@/lib/contract/calls/usage-dimensions";
import { parseCsv } from "@/lib/contract/csv";
import type { Balance, LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { Reconciliation } from "@/lib/contract/operations/money/reconciliation";
import type { Statement, StatementHead } from "@/lib/contract/operations/money/statements";
import type { UsageSum, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { formatAmount, parseCheckedAmount, sumAmounts } from "@/lib/money/amount";
import { officialClient } from "../../support/clients/official-client";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;

/** The gateway's clock starts on 15 January 2027, with a payment of 10.00. */
serveForEach(
  (served) => {
    gateway = served;
  },
  { isExamined: true },
);

const read = <Reply>(path: string) => gateway.admin<Reply>("GET", `/organization/${path}`);
const total = (amounts: readonly string[]) => formatAmount(sumAmounts(amounts.map(parseCheckedAmount)));
const monthAt = (month: string) => Date.parse(`${month}-01T00:00:00Z`) / 1000;
/** Passes time until a moment of the simulated clock. */
const passTo = (iso: string) => gateway.pass(Date.parse(iso) - gateway.runtime.clock.nowMs());

async function countCharges(): Promise<number> {
  return (await read<{ data: LedgerEntry[] }>("ledger?kind=charge&limit=1000")).data.length;
}

/** Makes a call and waits for its charge. */
async function call(content: string, key = gateway.key, model = "sandbox-echo"): Promise<void> {
  const before = await countCharges();
  const client = officialClient(gateway.baseUrl, key);
  if (model === "sandbox-speech") {
    await (await client.audio.speech.create({ model, input: content, voice: "alloy" })).arrayBuffer();
  } else {
    await client.chat.completions.create({ model, messages: [{ role: "user", content }] });
  }
  await until("the call is charged", async () => (await countCharges()) > before);
}

/** Two projects with keys, calls by the token and by the unit, payments and corrections, from January to March. */
async function makeMonths(): Promise<void> {
  const { id } = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Search" });
  const keys = `/organization/projects/${id}/api_keys`;
  const { value: other } = await gateway.admin<{ value: string }>("POST", keys, { name: "nightly" });
  await call("one two three");
  await call("seven words are here to be read", other);
  await passTo("2027-02-03T12:00:00Z");
  await call("one two", gateway.key, "sandbox-chat");
  await call("spoken by the character", other, "sandbox-speech");
  const { id: payment } = await gateway.admin<LedgerEntry>("POST", "/organization/payments", {
    amount: "5.123456789",
    reference: "Invoice 7",
  });
  await passTo("2027-03-20T12:00:00Z");
  await call("one");
  await call("two words", other);
  await gateway.admin("POST", `/organization/ledger/${payment}/corrections`, {
    amount: "1.000000001",
    reason: "Bank fee",
  });
  const { data } = await read<{ data: LedgerEntry[] }>("ledger?kind=charge&model=sandbox-chat");
  await gateway.admin("POST", `/organization/ledger/${data[0]?.id}/corrections`, { reason: "Wrong answer" });
}

async function exported(path: string): Promise<Record<string, string>[]> {
  const reply = await fetchWithKey(`${gateway.baseUrl}/organization/${path}`, {
    key: gateway.adminKey,
    headers: { accept: "text/csv" },
  });
  expect([path, reply.status]).toEqual([path, 200]);
  const [head, ...rows] = parseCsv(await reply.text()).rows;
  return rows.map(({ cells }) =>
    Object.fromEntries(cells.map((cell, index) => [head?.cells[index] ?? "", cell])),
  );
}

/** What each place says was charged in a month. */
async function chargedIn(month: string): Promise<Record<string, string>> {
  const statement = await read<Statement>(`statements/${month}`);
  const range = `start_time=${statement.start_time}&end_time=${statement.end_time}`;
  const { data: entries } = await read<{ data: LedgerEntry[] }>(`ledger?kind=charge&limit=1000&${range}`);
  const lines = entries.map(({ prompt_tokens: into, completion_tokens: out }) => (into ?? 0) + (out ?? 0));
  const tokens = lines.reduce((sum, count) => sum + count, 0);
  const lineTokens = statement.lines.reduce(
    (sum, { prompt_tokens, completion_tokens }) => sum + prompt_tokens + completion_tokens,
    0,
  );
  expect([lineTokens, statement.lines.reduce((sum, { calls }) => sum + calls, 0)]).toEqual([
    tokens,
    entries.length,
  ]);
  const { totals } = await read<UsageSummary>(`usage_summary?${range}&bucket_width=1d`);
  const places: Record<string, string> = {
    statement: statement.charges,
    "statement's lines": total(statement.lines.map(({ charges }) => charges)),
    "list of statements":
      (await read<{ data: StatementHead[] }>("statements")).data.find(({ id }) => id === month)?.charges ??
      "",
    "CSV of statements": (await exported("statements")).find(({ id }) => id === month)?.charges ?? "",
    ledger: total(entries.map(({ amount }) => amount)),
    "CSV of the ledger": total(
      (await exported(`ledger?kind=charge&${range}`)).map(({ amount }) => amount ?? ""),
    ),
    usage: formatAmount(parseCheckedAmount(totals.amount)),
  };
  for (const by of usageDimensions) {
    const query = `${range}&group_by=${by}`;
    const { groups, rest, ...summary } = await read<UsageSummary>(`usage_summary?${query}&bucket_width=1d`);
    const amounts = [...groups.map((group) => group.totals.amount), rest?.totals.amount ?? "0"];
    places[`usage by ${by}`] = total(amounts);
    places[`usage by day and ${by}`] = total(
      groups.flatMap(({ buckets }) => buckets.map(({ amount }) => amount)),
    );
    expect(summary.totals.requests).toBe(totals.requests);
    const sums = `usage_sums?${query}&bucket_width=range`;
    places[`sums by ${by}`] = total(
      (await read<{ data: UsageSum[] }>(`${sums}&limit=1000`)).data.map(({ amount }) => amount),
    );
    places[`CSV of sums by ${by}`] = total((await exported(sums)).map(({ amount }) => amount ?? ""));
  }
  return places;
}

test("every place says the same for a month, to the last digit", async () => {
  await makeMonths();
  const months = ["2027-01", "2027-02", "2027-03"];
  const closed = [];
  for (const month of months) {
    const { statement, ...places } = await chargedIn(month);
    expect(parseCheckedAmount(statement ?? "0") > 0n).toBe(true);
    for (const [place, amount] of Object.entries(places))
      expect([month, place, amount]).toEqual([month, place, statement ?? ""]);
    closed.push(statement ?? "");
  }
  const balance = await read<Balance>("balance");
  const { data: entries } = await read<{ data: LedgerEntry[] }>("ledger?limit=1000");
  expect(total(entries.map(({ balance_change }) => balance_change))).toBe(balance.posted);
  expect(entries[0]?.balance_after).toBe(balance.posted);
  const statements = (await read<{ data: StatementHead[] }>("statements")).data.toReversed();
  let opening = "0.00";
  for (const { opening_balance, payments, charges, corrections = "0", closing_balance } of statements) {
    expect(opening_balance).toBe(opening);
    expect(total([opening_balance, payments, `-${charges}`, corrections])).toBe(closing_balance);
    opening = closing_balance;
  }
  expect(opening).toBe(balance.posted);
  let proof = await read<Reconciliation>("reconciliation?full=true");
  await until("the proof is done", async () => {
    proof = await read<Reconciliation>("reconciliation?full=true");
    return proof.state === "done";
  });
  const { charged } = proof;
  expect(total(charged.map(({ amount }) => amount))).toBe(total(closed));
});

test("a call of the last millisecond of a month is in its statement, and one of the next in the next", async () => {
  await passTo("2027-01-31T23:59:59.999Z");
  await call("last of January");
  gateway.pass(1);
  await call("first of February");
  await passTo("2027-03-01T00:00:00Z");
  for (const [month, words] of [
    ["2027-01", 3],
    ["2027-02", 3],
  ] as const) {
    const { lines, charges, end_time } = await read<Statement>(`statements/${month}`);
    expect(lines).toMatchObject([{ calls: 1, completion_tokens: words }]);
    expect(end_time).toBe(month === "2027-01" ? monthAt("2027-02") : monthAt("2027-03"));
    expect(new Set(Object.values(await chargedIn(month)))).toEqual(new Set([charges]));
  }
});

test("a call that runs while its month is closed is charged in the next month, and every entry is in one statement", async () => {
  await passTo("2027-01-31T23:59:59.900Z");
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: {
      model: "sandbox-slow",
      stream: true,
      messages: [{ role: "user", content: "one two three four five" }],
    },
  });
  expect(reply.status).toBe(200);
  gateway.pass(200);
  const january = await gateway.admin<Statement>("POST", "/organization/statements/2027-01/close");
  expect(january).toMatchObject({ charges: "0.00", closing_balance: "10.00", lines: [] });
  const drained = reply.text();
  await until("the call is charged", async () => {
    gateway.pass(100);
    return (await countCharges()) === 1;
  });
  await drained;
  expect(await read<Statement>("statements/2027-01")).toEqual(january);
  const february = await read<Statement>("statements/2027-02");
  expect(february).toMatchObject({ opening_balance: "10.00", lines: [{ model: "sandbox-slow", calls: 1 }] });
  expect(february.closing_balance).toBe((await read<Balance>("balance")).posted);
  // Usage counts the call when it came in.
  const range = `start_time=${january.start_time}&end_time=${january.end_time}`;
  const { totals } = await read<UsageSummary>(`usage_summary?${range}&bucket_width=1d`);
  expect(formatAmount(parseCheckedAmount(totals.amount))).toBe(february.charges);
});

test("an export while entries are written has each entry once, and each balance follows from the one before", async () => {
  const pay = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        gateway.admin("POST", "/organization/payments", { amount: "0.01", reference: `Wire ${index}` }),
      ),
    );
  await pay(250);
  const reply = await fetchWithKey(`${gateway.baseUrl}/organization/ledger`, {
    key: gateway.adminKey,
    headers: { accept: "application/x-ndjson" },
  });
  const written = pay(250);
  const lines = (await reply.text()).trim().split("\n");
  await written;
  const entries = lines.map((line) => JSON.parse(line) as LedgerEntry).toReversed();
  expect(entries.length).toBeGreaterThanOrEqual(251);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  let balance = "0.00";
  for (const { balance_change: change, balance_after: after } of entries) {
    expect(total([balance, change])).toBe(after ?? "");
    balance = after ?? "";
  }
});
