import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { fetchWithKey } from "../../support/clients/send";
import { centModel } from "../../support/gateways/cent-model";
import { startGateway } from "../../support/programs/start-gateway";
import { createInbox } from "../../support/servers/inbox";

const alert = {
  currency: "USD",
  interval: "month",
  threshold_amount: 1,
  notification_channel: { type: "email", recipients: ["ada@example.com"] },
};

function readCallbackSecret(dataFolder: string): string {
  const { stdout } = Bun.spawnSync([process.execPath, "lib/gateway/main.ts", "callback-secret"], {
    env: { ...process.env, GATEHOUSE_DATA: dataFolder },
  });
  return stdout.toString().trim();
}

test("a gateway killed while it sends an alert sends it again, and the printed secret verifies both", async () => {
  const inbox = createInbox();
  const gateway = await startGateway({
    GATEHOUSE_ALERT_URL: inbox.url,
    GATEHOUSE_CALLBACK_HOSTS: "127.0.0.1",
  });
  const ask = async (path: string, body: object, key = gateway.adminKey) => {
    const reply = await fetchWithKey(gateway.baseUrl + path, { key, body });
    return (await reply.json()) as { id: string; value: string };
  };
  try {
    const { id } = await ask("/organization/projects", { name: "Research" });
    const { value } = await ask(`/organization/projects/${id}/api_keys`, { name: "Key" });
    await ask("/organization/models", centModel);
    await ask(`/organization/projects/${id}/spend_alerts`, alert);
    inbox.hang();
    await ask(
      "/chat/completions",
      { model: centModel.id, messages: [{ role: "user", content: "one" }] },
      value,
    );
    const first = await inbox.next();
    await gateway.restart("SIGKILL");
    const second = await inbox.next();
    const receiver = new Webhook(readCallbackSecret(gateway.dataFolder));
    for (const { headers, body } of [first, second]) {
      expect(receiver.verify(body, headers)).toMatchObject({
        type: "spend_alert.fired",
        data: { project_id: id },
      });
    }
    expect([second.headers["webhook-id"], second.body]).toEqual([first.headers["webhook-id"], first.body]);
  } finally {
    await gateway.stop();
    await inbox.close();
  }
});
