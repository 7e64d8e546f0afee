import { fetchWithKey } from "@/e2e/support/clients/send";
import { startBufferingProxy } from "@/e2e/support/servers/buffering-proxy";
import { requestBody } from "../../clients/call-gateway";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

export const bufferingProxy: Scenario = {
  name: "buffering-proxy",
  does: "{size} streams through a proxy that keeps replies back until they are whole, unless they say not to",
  full: 200,
  smoke: 10,
  async run({ size }) {
    const stage = await startFaultStage();
    const proxy = await startBufferingProxy(new URL(stage.baseUrl).origin);
    const key = stage.keys[0]?.value ?? "";
    try {
      /** @returns whether the first words came before the last ones were sent. */
      const stream = async (nonce: string) => {
        const script = { nonce, promptTokens: 5, completionTokens: 20, gapMs: 20 };
        const reply = await fetchWithKey(`${proxy.origin}/v1/chat/completions`, {
          key,
          method: "POST",
          headers: { "content-type": "application/json" },
          body: requestBody({ model: PLAIN_MODEL.id, isStream: true, keyId: "", script }),
        });
        const reader = reply.body?.getReader();
        const first = new TextDecoder().decode((await reader?.read())?.value);
        let text = first;
        for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
          text += new TextDecoder().decode(next.value);
        return { isEarly: !first.includes("[DONE]"), isWhole: text.includes("[DONE]") };
      };
      const streams = await Promise.all(Array.from({ length: size }, (_, at) => stream(`n${at}`)));
      const late = streams.filter(({ isEarly }) => !isEarly).length;
      const cut = streams.filter(({ isWhole }) => !isWhole).length;
      return {
        faults: [
          ...(late > 0 ? [`${late} of ${size} streams came all at once`] : []),
          ...(cut > 0 ? [`${cut} of ${size} streams were cut short`] : []),
        ],
        figures: { streams: size },
      };
    } finally {
      await proxy.stop();
      await stage.stop();
    }
  },
};
