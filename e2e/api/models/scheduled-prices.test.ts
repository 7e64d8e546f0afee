import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/contract/durations";
import { parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import { listCharges } from "../../support/clients/list-charges";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let gateway: ServedGateway;
serveForEach((served) => {
  gateway = served;
});

const MODEL = "/organization/models/sandbox-echo";
type Price = { input_per_1m: string; output_per_1m: string };
type Model = { rate: string; price: Price; audio_price: Price | null };
type Scheduled = { id: string; effective_at: number; waits_for?: string; rate: string | null };

const model = () => gateway.admin<Model>("GET", MODEL);
const scheduled = async () =>
  (await gateway.admin<{ data: Scheduled[] }>("GET", `${MODEL}/scheduled_prices`)).data;
const inMs = (ms: number) => Math.floor((gateway.runtime.clock.nowMs() + ms) / SECOND_MS);
const schedule = (ms: number, change: object) =>
  gateway.admin<Scheduled>("POST", `${MODEL}/scheduled_prices`, { effective_at: inMs(ms), ...change });

async function tryTo(method: string, path: string, body?: object): Promise<unknown[]> {
  const reply = await fetchWithKey(`${gateway.baseUrl}${path}`, { method, key: gateway.adminKey, body });
  const { error } = (await reply.json()) as { error?: { param: string } };
  return [reply.status, error?.param];
}

async function call(): Promise<void> {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: {
      model: "sandbox-echo",
      messages: [{ role: "user", content: "Four words are here" }],
    },
  });
  expect(reply.status).toBe(200);
  await reply.text();
}

test("a scheduled rate applies from its time on, and earlier charges stay", async () => {
  await gateway.admin("POST", MODEL, { rate: "1" });
  await schedule(HOUR_MS, { rate: "2" });
  await call();
  gateway.pass(HOUR_MS - SECOND_MS);
  await call();
  gateway.pass(SECOND_MS);
  await until("the scheduled rate applies", async () => (await model()).rate === "2.00");
  await call();
  const charges = (await listCharges(gateway)).map(({ amount }) => parseCheckedAmount(amount));
  const [first = ZERO] = charges;
  expect(charges).toEqual([first, first, toNano(2n * first)]);
  expect(await scheduled()).toEqual([]);
});

test("scheduled prices of audio apply and are removed at their times, and leave those of text", async () => {
  const { price } = await model();
  const audio_price = { input_per_1m: "40.00", output_per_1m: "80.00" };
  expect(await schedule(HOUR_MS, { audio_price })).toMatchObject({ audio_price, price: null });
  expect(await schedule(2 * HOUR_MS, { audio_price: null })).toMatchObject({ audio_price: null });
  const other = await schedule(3 * HOUR_MS, { rate: "3" });
  expect(other).not.toHaveProperty("audio_price");
  await gateway.restart(async () => gateway.pass(HOUR_MS));
  expect(await model()).toMatchObject({ audio_price, price });
  expect((await scheduled())[0]).toMatchObject({ audio_price: null });
  gateway.pass(HOUR_MS);
  await until("the prices of audio are removed", async () => (await model()).audio_price === null);
  expect(await model()).toMatchObject({ price });
  gateway.pass(HOUR_MS);
  await until("the rate applies", async () => (await model()).rate === "3.00");
  expect(await model()).toMatchObject({ audio_price: null });
  const embedding = "/organization/models/sandbox-embedding/scheduled_prices";
  expect(await tryTo("POST", embedding, { effective_at: inMs(HOUR_MS), audio_price })).toEqual([
    400,
    "audio_price",
  ]);
});

test("applies prices that fell due while the gateway was stopped, in order of time, before it answers", async () => {
  const { price } = await model();
  const dearer = { input_per_1m: "7.00", output_per_1m: price.output_per_1m };
  await schedule(2 * HOUR_MS, { rate: "0.4" });
  await schedule(HOUR_MS, { rate: "0.3", price: dearer });
  await schedule(DAY_MS, { rate: "0.5" });
  expect((await scheduled()).map(({ rate }) => rate)).toEqual(["0.30", "0.40", "0.50"]);
  await gateway.restart(async () => gateway.pass(3 * HOUR_MS));
  expect(await model()).toMatchObject({ rate: "0.40", price: dearer });
  expect((await scheduled()).map(({ rate }) => rate)).toEqual(["0.50"]);
  const { data } = await gateway.admin<{ data: { type: string; actor: unknown }[] }>(
    "GET",
    "/organization/audit_logs?resource_ids[]=sandbox-echo&limit=100",
  );
  expect(data.slice(0, 2)).toMatchObject([
    { type: "scheduled_price.applied", actor: null },
    { type: "scheduled_price.applied", actor: null },
  ]);
});

test("a scheduled price that was deleted never takes effect, and is deleted once", async () => {
  const { rate } = await model();
  const { id } = await schedule(HOUR_MS, { rate: "9" });
  expect(await tryTo("DELETE", `${MODEL}/scheduled_prices/${id}`)).toEqual([200, undefined]);
  await gateway.restart(async () => gateway.pass(DAY_MS));
  expect((await model()).rate).toBe(rate);
  expect(await tryTo("DELETE", `${MODEL}/scheduled_prices/${id}`)).toEqual([404, "scheduled_price_id"]);
});

test("a start with a clock that is weeks ahead applies no price before its time", async () => {
  const { rate } = await model();
  await schedule(30 * DAY_MS, { rate: "9" });
  await gateway.restart(async () => gateway.stepWallClock(40 * DAY_MS));
  expect((await model()).rate).toBe(rate);
  expect((await scheduled()).map((price) => price.waits_for)).toEqual(["clock"]);
  gateway.stepWallClock(-40 * DAY_MS);
  expect((await scheduled()).map((price) => price.waits_for)).toEqual([undefined]);
});

test("after days of standstill, a price that fell due says that it waits for the clock, and applies after ten minutes", async () => {
  await schedule(HOUR_MS, { rate: "9" });
  await gateway.restart(async () => gateway.pass(3 * DAY_MS));
  expect((await scheduled()).map((price) => price.waits_for)).toEqual(["clock"]);
  gateway.pass(10 * MINUTE_MS);
  await until("the rate applies", async () => (await model()).rate === "9.00");
  expect(await scheduled()).toEqual([]);
});

test("one of another model is not found under this one", async () => {
  const { id } = await schedule(HOUR_MS, { rate: "9" });
  const other = `/organization/models/sandbox-slow/scheduled_prices/${id}`;
  expect(await tryTo("DELETE", other)).toEqual([404, "scheduled_price_id"]);
  expect(await scheduled()).toHaveLength(1);
});

test("refuses to schedule a price that can't take effect, and names the field", async () => {
  const path = `${MODEL}/scheduled_prices`;
  const unit_price = { unit: "image", amount: "1" };
  await schedule(HOUR_MS, { rate: "2" });
  const tries = [
    [{ effective_at: inMs(0), rate: "1" }, 400, "effective_at"],
    [{ effective_at: inMs(HOUR_MS), rate: "3" }, 409, "effective_at"],
    [{ effective_at: inMs(DAY_MS) }, 400, "body"],
    [{ effective_at: inMs(DAY_MS), rate: "0" }, 400, "rate"],
    [{ effective_at: inMs(DAY_MS), rate: "-1" }, 400, "rate"],
    [{ effective_at: inMs(DAY_MS), unit_price }, 400, "unit_price"],
    [{ effective_at: 1e300, rate: "1" }, 400, "effective_at"],
    [{ effective_at: inMs(DAY_MS), rate: "1", discount: "1" }, 400, "discount"],
  ] as const;
  for (const [body, status, param] of tries) {
    expect([body, await tryTo("POST", path, body)]).toEqual([body, [status, param]]);
  }
  expect(await scheduled()).toHaveLength(1);
});

test("a model has at most twenty, and doctor finds every one of them in the audit log", async () => {
  for (let day = 1; day <= 20; day++) await schedule(day * DAY_MS, { rate: "2" });
  const body = { effective_at: inMs(21 * DAY_MS), rate: "2" };
  expect(await tryTo("POST", `${MODEL}/scheduled_prices`, body)).toEqual([409, "effective_at"]);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});
