import { until } from "@/e2e/support/clients/until";
import { openHolds } from "../../books/read-ledger";
import { reconcile } from "../../books/reconcile";
import { callGateway } from "../../clients/call-gateway";
import { protocols } from "../../clients/draw-plain-call";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

const MAX_CONCURRENT = 24;
const WORDS = 6;
const moments = ["before the first byte", "before a whole answer", "mid-stream", "before [DONE]"] as const;

export const clientLeaves: Scenario = {
  name: "client-leaves",
  does: "{size} clients leave before the first byte, mid-stream, before [DONE]",
  full: 1_200,
  smoke: 24,
  async run({ size, random }) {
    const stage = await startFaultStage();
    const { id: keyId = "", value: key = "" } = stage.keys[0] ?? {};
    const leave = async (index: number) => {
      const moment = random.pick(moments);
      const isStream = moment !== "before a whole answer";
      const waitAfter =
        { "mid-stream": random.between(1, WORDS - 1), "before [DONE]": WORDS }[moment as string] ?? 0;
      const protocol = random.pick(protocols);
      const isMessage = protocol === "messages";
      const isResponse = protocol === "responses";
      const nonce = `n${index}`;
      const script = { nonce, promptTokens: random.between(1, 50), completionTokens: WORDS, waitAfter };
      const client = new AbortController();
      const call = callGateway(
        { keyId, model: PLAIN_MODEL.id, isStream, isMessage, isResponse, script },
        {
          baseUrl: stage.baseUrl,
          key,
          signal: client.signal,
          onChunk: (text) => text.includes(`${nonce}/${waitAfter - 1} `) && client.abort(),
        },
      );
      if (waitAfter === 0) {
        await until("the provider has the call", async () => (await stage.waiting()).includes(nonce));
        client.abort();
      }
      return call;
    };
    try {
      const calls = [];
      for (let index = 0; index < size; index += MAX_CONCURRENT) {
        const group = Array.from({ length: Math.min(MAX_CONCURRENT, size - index) }, (_, at) =>
          leave(index + at),
        );
        calls.push(...(await Promise.all(group)));
      }
      await until("every hold is resolved", () => openHolds(stage.ledger()) === 0);
      await until("the provider has stopped", async () => (await stage.waiting()).length === 0);
      const ledger = stage.ledger();
      const { faults, figures } = reconcile({
        calls,
        invoices: stage.invoices(),
        ledger,
        models: stage.models,
      });
      if (figures.complete > 0) faults.push(`${figures.complete} clients that left were answered whole`);
      const odd = ledger.entries.filter(({ kind, basis }) => kind === "charge" && basis !== "estimated");
      if (odd.length > 0) faults.push(`${odd.length} charges are not marked as estimated`);
      const free = ledger.entries.filter(({ kind, amount }) => kind === "charge" && amount === 0n);
      if (free.length > 0) faults.push(`${free.length} charges are 0`);
      return { faults, figures };
    } finally {
      await stage.stop();
    }
  },
};
