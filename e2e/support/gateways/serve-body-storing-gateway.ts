import type { ReceiptBody, RequestBody } from "@/lib/contract/operations/calls/request-bodies";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { fetchWithKey, send } from "../clients/send";
import { scriptedConfiguration, startScriptedProvider } from "../servers/scripted-provider";
import { queryDatabase } from "../stored-data/query-database";
import { serveGateway } from "./serve-gateway";

/** A word that occurs only in requests and answers. */
export const CANARY = "a-word-that-stands-nowhere-else";
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const messages = [{ role: "user", content: `Hello ${CANARY}` }];

/** A gateway with a scripted provider that stores bodies, with helpers for its tests. */
export async function serveBodyStoringGateway(options: Parameters<typeof serveGateway>[0] = {}) {
  const provider = startScriptedProvider();
  provider.answerWith(() =>
    Response.json({
      choices: [{ index: 0, message: { role: "assistant", content: CANARY }, finish_reason: "stop" }],
      usage,
    }),
  );
  const gateway = await serveGateway({ config: scriptedConfiguration(provider), ...options });
  const settingsPath = `/projects/${gateway.projectId}/body_settings`;
  const ask = (path: string, key = gateway.adminKey) =>
    send(`${gateway.baseUrl}/organization${path}`, { key });
  /** Resolves with the receipt's statement about the body, once the body has been stored. */
  async function kept(id: string): Promise<ReceiptBody> {
    for (;;) {
      const { body } = await ask(`/requests/${id}`);
      const receipt = body as unknown as RequestReceipt;
      if (receipt.body.state !== "pending") return receipt.body;
    }
  }
  return {
    gateway,
    provider,
    settingsPath,
    messages,
    ask,
    kept,
    keep: (mode: string, rest: { retention_days?: number; redactions?: string[] } = {}) =>
      gateway.admin("POST", `/organization${settingsPath}`, {
        mode,
        retention_days: 30,
        redactions: [],
        ...rest,
      }),
    /** Calls the scripted model, and returns the call's id. */
    async call(fields: object = {}, headers: Record<string, string> = {}, path = "/chat/completions") {
      const reply = await fetchWithKey(gateway.baseUrl + path, {
        key: gateway.key,
        body: { model: "fake", messages, ...fields },
        headers,
      });
      await reply.text();
      return reply.headers.get("x-request-id") ?? "";
    },
    /** Reads the whole body, once it has been stored. */
    async read(id: string): Promise<RequestBody> {
      const { state } = await kept(id);
      const { status, body, error } = await ask(`/requests/${id}/body`);
      if (state !== "whole" || status !== 200) throw new Error(`${id} is ${state}: ${error.message}`);
      return body as unknown as RequestBody;
    },
    /** The number of stored bodies. */
    async countBodies() {
      return (await queryDatabase(gateway, "SELECT 1 FROM request_bodies")).length;
    },
    /** Returns the calls whose bodies were read, latest first, from the audit log. */
    async readings() {
      const { body } = await ask("/audit_logs?event_types[]=request_body.read");
      return (body as { data: { changes: { id: string }[] }[] }).data.map(({ changes }) => changes[0]?.id);
    },
    async close() {
      await gateway.close();
      await provider.stop();
    },
  };
}
