import { findLedgerFaults } from "../../books/find-ledger-faults";
import { type ClientCall, callGateway } from "../../clients/call-gateway";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

const LIMIT = 5_000;
const PROMPT_TOKENS = 9_016;
const WINDOW_SECONDS = 60;
const file = { type: "file", file: { file_id: "file_1" } };

export const hiddenPrompts: Scenario = {
  name: "hidden-prompts",
  does: `{size} prompts at once, by reference and far larger than they look, under a limit of ${LIMIT} tokens`,
  full: 600,
  smoke: 60,
  async run({ size }) {
    const stage = await startFaultStage();
    const { id: keyId = "", value: key = "" } = stage.keys[0] ?? {};
    const ask = (nonce: string, parts?: readonly object[]) => {
      const script = { nonce, promptTokens: PROMPT_TOKENS, completionTokens: 1 };
      const asked: ClientCall = { keyId, model: PLAIN_MODEL.id, isStream: false, maxTokens: 1, script };
      return callGateway(parts ? { ...asked, parts } : asked, { baseUrl: stage.baseUrl, key });
    };
    try {
      await stage.admin.saveRateLimit(stage.projectId, PLAIN_MODEL.id, { max_tokens_per_1_minute: LIMIT });
      const byReference = await Promise.all(
        Array.from({ length: size }, (_, index) => ask(`r${index}`, [file])),
      );
      const larger = await Promise.all(Array.from({ length: size }, (_, index) => ask(`l${index}`)));
      const late = await ask("late");
      const ledger = stage.ledger();
      const faults = [...findLedgerFaults(ledger)];
      const passed = larger.filter(({ status }) => status === 200).length;
      if (byReference.some(({ status }) => status !== 429)) faults.push("a prompt by reference was let in");
      if (passed === 0) faults.push("nothing was let in");
      const minutes = Math.floor((passed * PROMPT_TOKENS) / LIMIT);
      const waits = Number(late.headers?.get("retry-after") ?? 0);
      if (late.status !== 429 || waits < (minutes - 1) * WINDOW_SECONDS)
        faults.push(`${passed} calls used ${passed * PROMPT_TOKENS}, and the next waits ${waits} s`);
      return { faults, figures: { calls: 2 * size + 1, passed, waits } };
    } finally {
      await stage.stop();
    }
  },
};
