import OpenAI, { toFile } from "openai";
import type { Batch } from "openai/resources/batches";
import type { ServedGateway } from "../gateways/serve-gateway";
import { until } from "./until";

/** A multipart form; its field `file` is a file. */
export function uploadForm({ file, ...fields }: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (file !== undefined) form.set("file", new Blob([file]), "input.jsonl");
  return form;
}

/** A line of a batch for chat completions. */
export function chatLine(customId: string, content: string, more: object = {}): string {
  const body = { model: "sandbox-echo", messages: [{ role: "user", content }], ...more };
  return JSON.stringify({ custom_id: customId, method: "POST", url: "/v1/chat/completions", body });
}

/** A line of a result file. */
export interface ResultLine {
  readonly custom_id: string;
  readonly response: { status_code: number; request_id: string; body: Record<string, never> } | null;
  readonly error: { code: string } | null;
}

const hasEnded = ({ status }: Batch) => ["completed", "expired", "cancelled", "failed"].includes(status);

/** Creates and follows batches through OpenAI's client. */
export function createBatchClient(gateway: Pick<ServedGateway, "baseUrl" | "key">) {
  const openai = new OpenAI({ apiKey: gateway.key, baseURL: gateway.baseUrl, maxRetries: 0 });
  return {
    openai,
    async upload(lines: readonly string[]): Promise<string> {
      const file = await toFile(Buffer.from(lines.join("\n")), "input.jsonl");
      return (await openai.files.create({ file, purpose: "batch" })).id;
    },
    async create(lines: readonly string[], more: Partial<OpenAI.BatchCreateParams> = {}): Promise<Batch> {
      return openai.batches.create({
        input_file_id: await this.upload(lines),
        endpoint: "/v1/chat/completions",
        completion_window: "24h",
        ...more,
      });
    },
    async follow(id: string, isSo: (batch: Batch) => boolean = hasEnded): Promise<Batch> {
      let batch = await openai.batches.retrieve(id);
      const look = async () => isSo((batch = await openai.batches.retrieve(id)));
      await until(`${id} has come so far`, look, 60_000);
      return batch;
    },
    async results(fileId: string | undefined): Promise<ResultLine[]> {
      if (!fileId) return [];
      const text = await (await openai.files.content(fileId)).text();
      return text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as ResultLine);
    },
  };
}
