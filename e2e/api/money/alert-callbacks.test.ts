import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { MINUTE_MS } from "@/lib/contract/durations";
import {
  type SpendAlertFiring,
  spendAlertFiredMessage,
} from "@/lib/contract/operations/money/spend-alert-firings";
import { deriveCallbackSecret, readCallbackTarget } from "@/lib/gateway/tasks/callbacks/post-callback";
import { officialClient } from "../../support/clients/official-client";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { createInbox } from "../../support/servers/inbox";
import { queryDatabase } from "../../support/stored-data/query-database";

/** One cent per word. */
const model = {
  id: "cent-a-word",
  family: "chat",
  rate: "1",
  price: { input_per_1m: "0", output_per_1m: "10000" },
  routes: [{ provider: "sandbox", model: "sandbox-echo" }],
};
const channel = { type: "email" as const, recipients: ["ada@example.com"], subject_prefix: "[spend]" };
const buildDraft = (threshold_amount: number) => ({
  currency: "USD" as const,
  interval: "month" as const,
  threshold_amount,
  notification_channel: channel,
});

/** The gateway's secret, which in these tests is 32 zero bytes. */
const receiver = new Webhook(deriveCallbackSecret(new Uint8Array(32)).reveal());
let inbox: ReturnType<typeof createInbox>;
let gateway: ServedGateway;

beforeEach(async () => {
  inbox = createInbox();
  gateway = await serveGateway({ alertTarget: readCallbackTarget(`${inbox.url}alerts`, ["127.0.0.1"]) });
  await gateway.admin("POST", "/organization/models", model);
});
afterEach(async () => {
  await gateway.close();
  await inbox.close();
});

function ask(content: string) {
  const messages = [{ role: "user" as const, content }];
  const client = officialClient(gateway.baseUrl, gateway.key);
  return client.chat.completions.create({ model: model.id, messages, max_tokens: 9 });
}

/** The next message, as verified by the official Standard Webhooks library at the gateway's time. */
async function nextMessage() {
  const { headers, body } = await inbox.next();
  setSystemTime(gateway.runtime.clock.nowMs());
  try {
    return {
      id: headers["webhook-id"],
      message: spendAlertFiredMessage.parse(receiver.verify(body, headers)),
    };
  } finally {
    setSystemTime();
  }
}

test("an alert that fires sends one signed callback, with its project and the month's spending", async () => {
  const { organization } = officialClient(gateway.baseUrl, gateway.adminKey).admin;
  const alert = await organization.projects.spendAlerts.create(gateway.projectId, buildDraft(3));
  const all = await organization.spendAlerts.create(buildDraft(5));
  await ask("one two");
  await ask("one two");
  const firedAtMs = gateway.runtime.clock.nowMs();
  const first = await nextMessage();
  expect(first.message).toEqual({
    type: "spend_alert.fired",
    timestamp: new Date(firedAtMs).toISOString(),
    data: {
      object: "spend_alert.firing",
      id: first.id ?? "",
      alert_id: alert.id,
      project_id: gateway.projectId,
      interval: "month",
      month: new Date(firedAtMs).toISOString().slice(0, 7),
      threshold: "0.03",
      spent: "0.04",
      currency: "USD",
      fired_at: Math.floor(firedAtMs / 1000),
      notification_channel: channel,
    },
  });
  await ask("one");
  const second = await nextMessage();
  expect(second.message.data).toMatchObject({ alert_id: all.id, project_id: null, spent: "0.05" });
  expect(second.id).not.toBe(first.id);
});

test("a callback that is not accepted is sent again with the same id, also after a restart", async () => {
  const { organization } = officialClient(gateway.baseUrl, gateway.adminKey).admin;
  await organization.spendAlerts.create(buildDraft(1));
  inbox.refuse();
  inbox.refuse();
  await ask("one");
  const first = await nextMessage();
  const firedAt = first.message.data.fired_at;
  const pending = { status: "pending", last_failure: "The receiver answered 503" };
  expect(await callbackAfter(1)).toMatchObject({ ...pending, last_tried_at: firedAt });
  await gateway.restart();
  gateway.pass(6_000);
  const second = await nextMessage();
  expect(await callbackAfter(2)).toMatchObject({ ...pending, last_tried_at: firedAt + 6 });
  gateway.pass(6 * MINUTE_MS);
  const third = await nextMessage();
  expect(await callbackAfter(3)).toEqual({
    status: "delivered",
    tries: 3,
    last_tried_at: firedAt + 6 + 6 * 60,
    next_try_at: null,
    last_failure: null,
  });
  expect([second.id, third.id]).toEqual([first.id, first.id]);
  expect(third.message).toEqual(first.message);
});

/** The callback of the single firing in the list, after this many tries. */
async function callbackAfter(tries: number): Promise<SpendAlertFiring["callback"]> {
  let callback: SpendAlertFiring["callback"] = null;
  await until(`${tries} tries are noted`, async () => {
    const { data } = await gateway.admin<{ data: SpendAlertFiring[] }>(
      "GET",
      "/organization/spend_alert_firings",
    );
    callback = data[0]?.callback ?? null;
    return callback?.tries === tries;
  });
  return callback;
}

test("a callback that was given up, or had no address, can be sent by hand", async () => {
  const { organization } = officialClient(gateway.baseUrl, gateway.adminKey).admin;
  const alert = await organization.spendAlerts.create(buildDraft(1));
  await ask("one");
  const first = await nextMessage();
  await callbackAfter(1);
  const send = (id = first.id) => gateway.admin("POST", `/organization/spend_alert_firings/${id}/send`, {});
  for (const change of [
    "UPDATE alert_deliveries SET status = 'exhausted', tries = 10, due_at_ms = NULL, failure = 'no'",
    "DELETE FROM alert_deliveries",
  ]) {
    await queryDatabase(gateway, change);
    expect(await send()).toMatchObject({ alert_id: alert.id, callback: { status: "pending", tries: 0 } });
    expect(await nextMessage()).toEqual(first);
    expect(await callbackAfter(1)).toMatchObject({ status: "delivered", last_failure: null });
  }
  await expect(send("firing_none")).rejects.toThrow("404");
});

test("firings are listed page by page, by month, and a project's own by itself", async () => {
  const { organization } = officialClient(gateway.baseUrl, gateway.adminKey).admin;
  const alerts: string[] = [];
  for (const cents of [1, 2, 3])
    alerts.push((await organization.projects.spendAlerts.create(gateway.projectId, buildDraft(cents))).id);
  alerts.push((await organization.spendAlerts.create(buildDraft(4))).id);
  for (let cent = 1; cent <= 4; cent++) {
    await ask("one");
    gateway.pass(1_000);
  }
  const list = async (query: string, scope = "/organization") => {
    const path = `${scope}/spend_alert_firings?${query}`;
    const { data, has_more } = await gateway.admin<{ data: SpendAlertFiring[]; has_more: boolean }>(
      "GET",
      path,
    );
    return { ids: data.map(({ id }) => id), alerts: data.map(({ alert_id }) => alert_id), has_more };
  };
  // No call waits for the alerts that it fires.
  await until("all have fired", async () => (await list("")).ids.length === alerts.length);
  const all = await list("");
  expect([all.alerts, all.has_more]).toEqual([alerts, false]);
  const [first = "", second = "", third = "", fourth = ""] = all.ids;
  expect(await list("limit=2")).toMatchObject({ ids: [first, second], has_more: true });
  expect(await list(`limit=2&after=${second}`)).toMatchObject({ ids: [third, fourth], has_more: false });
  expect(await list(`limit=2&before=${fourth}`)).toMatchObject({ ids: [second, third], has_more: true });
  expect(await list(`order=desc&limit=2&after=${fourth}`)).toMatchObject({ ids: [third, second] });
  expect(await list(`order=desc&limit=1&before=${second}`)).toMatchObject({ ids: [third], has_more: true });
  const own = `/organization/projects/${gateway.projectId}`;
  expect((await list("", own)).ids).toEqual([first, second, third]);
  await expect(list(`after=${fourth}`, own)).rejects.toThrow("400");
  const month = new Date(gateway.runtime.clock.nowMs()).toISOString().slice(0, 7);
  expect((await list(`month=${month}`)).ids).toEqual(all.ids);
  expect((await list("month=2020-02")).ids).toEqual([]);
  await expect(list(`month=2020-02&after=${first}`)).rejects.toThrow("400");
  await expect(list("month=2020-13")).rejects.toThrow("must be a month such as 2027-01");
  await expect(list("", "/organization/projects/proj_none")).rejects.toThrow("404");
});

test("without an address no callback is sent, and the list says so", async () => {
  const quiet = await serveGateway();
  try {
    await quiet.admin("POST", "/organization/models", model);
    const client = officialClient(quiet.baseUrl, quiet.adminKey).admin.organization;
    await client.spendAlerts.create(buildDraft(1));
    const messages = [{ role: "user" as const, content: "one" }];
    const caller = officialClient(quiet.baseUrl, quiet.key);
    await caller.chat.completions.create({ model: model.id, messages, max_tokens: 9 });
    let data: SpendAlertFiring[] = [];
    await until("it has fired", async () => {
      ({ data } = await quiet.admin<{ data: SpendAlertFiring[] }>(
        "GET",
        "/organization/spend_alert_firings",
      ));
      return data.length > 0;
    });
    expect(data).toMatchObject([{ spent: "0.01", callback: null }]);
    const sent = quiet.admin("POST", `/organization/spend_alert_firings/${data[0]?.id}/send`, {});
    await expect(sent).rejects.toThrow("Set GATEHOUSE_ALERT_URL");
  } finally {
    await quiet.close();
  }
});
