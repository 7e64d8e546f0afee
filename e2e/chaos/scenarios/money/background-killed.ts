import { until } from "@/e2e/support/clients/until";
import { groupBy } from "@/lib/gateway/lists/group-by";
import type { SeededRandom } from "@/lib/gateway/simulation/seeded-random";
import { openHolds } from "../../books/read-ledger";
import { reconcile } from "../../books/reconcile";
import { callGateway, interpretReply, type Received } from "../../clients/call-gateway";
import { killWhile } from "../../kill-while";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, type Stage, startFaultStage } from "../../start-stage";

const FOR_A_KILL = 40;
const MAX_CONCURRENT = 20;
const TIMEOUT_MS = 120_000;

export const backgroundKilled: Scenario = {
  name: "background-killed",
  does: `{size} responses of the background, cancelled at random, and kill -9 of the gateway once for every ${FOR_A_KILL} of them`,
  full: 600,
  smoke: 40,
  async run({ size, random }) {
    const stage = await startFaultStage({ keyCount: MAX_CONCURRENT });
    const settings = { mode: "whole", retention_days: 1, redactions: [] };
    await stage.admin.call("POST", `/projects/${stage.projectId}/body_settings`, settings);
    try {
      const kills = Math.round(size / FOR_A_KILL);
      const work = leaveResponses(stage, size, random);
      const calls = await killWhile(stage.gateway, { kills, withinMs: 5_000, random }, work);
      await until("every hold is resolved", () => openHolds(stage.ledger()) === 0, TIMEOUT_MS);
      const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
      const { faults, figures } = reconcile(books);
      const groups = groupBy(calls, ({ text }) => readStatus(text) ?? "unknown");
      const ends = Object.fromEntries([...groups].map(([end, list]) => [end, list.length]));
      if (!ends.completed) faults.push("No response has been completed");
      return { faults, figures: { kills, ...figures, ...ends } };
    } finally {
      await stage.stop();
    }
  },
};

/** Asks for responses, a few at once, and reads each until it has ended. */
async function leaveResponses(stage: Stage, size: number, random: SeededRandom): Promise<Received[]> {
  const received: Received[] = [];
  let begun = 0;
  await Promise.all(
    stage.keys.map(async ({ id: keyId, value: key }) => {
      while (begun < size) {
        const nonce = `n${begun++}`;
        const isCancelled = random.chance(0.2);
        const script = {
          nonce,
          promptTokens: random.between(1, 50),
          completionTokens: random.between(1, 15),
          gapMs: random.between(0, 150),
          ...(isCancelled && { waitAfter: 1 }),
        };
        const more = { background: true };
        const call = { keyId, model: PLAIN_MODEL.id, isStream: false, isResponse: true, script, more };
        const first = await callGateway(call, { baseUrl: stage.baseUrl, key });
        if (first.status !== 200 || first.requestId === null) {
          received.push(first);
          const models = `${stage.baseUrl}/models`;
          await until("the gateway is up", async () => (await ask(models, key)) !== "", TIMEOUT_MS);
          continue;
        }
        const url = `${stage.baseUrl}/responses/${first.requestId.replace("req_", "resp_")}`;
        let text = "";
        await until(
          `${nonce} has ended`,
          async () => {
            const isHeld = isCancelled && (await stage.waiting()).includes(nonce);
            text = await (isHeld ? ask(`${url}/cancel`, key, "POST") : ask(url, key));
            return /^(?:completed|failed|cancelled)$/.test(readStatus(text) ?? "");
          },
          TIMEOUT_MS,
        );
        const isEnded = readStatus(text) === "completed";
        received.push(interpretReply(call, { ...first, text, isEnded }));
      }
    }),
  );
  return received;
}

/** The answer's text; empty while the gateway doesn't run. */
async function ask(url: string, key: string, method = "GET"): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  return fetch(url, { method, headers, keepalive: false }).then(
    (reply) => reply.text(),
    () => "",
  );
}

function readStatus(text: string): string | null {
  try {
    return (JSON.parse(text) as { status?: string }).status ?? null;
  } catch {
    return null;
  }
}
