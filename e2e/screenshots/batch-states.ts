import type { Page } from "@playwright/test";
import { chatLine } from "../support/clients/batch-client";
import type { SampleData } from "./make-sample-data";
import type { State } from "./states";

/** Batches whose lines failed, and files that no batch, or a strange one, can be made of. */
export function listBatchTroubles({ failedBatch }: SampleData): readonly State[] {
  const long = chatLine("letter-1", "A line of many words. ".repeat(2_000));
  return [
    {
      name: "batch-failed-lines",
      address: `/batches/${failedBatch}`,
      reach: async (page) => page.getByRole("region", { name: "Errors" }).getByText("line").first().waitFor(),
    },
    dropFile("batch-bad-lines", "tickets of october.jsonl", [
      chatLine("ticket-1", "Summarize ticket 1"),
      '{"custom_id": "ticket-2", "method": "POST", "url": "/v1/chat/completions", "body": {"model": ',
      chatLine("ticket-1", "Summarize ticket 1 again"),
    ]),
    dropFile("batch-long-name", `${"tickets-of-every-customer-".repeat(8)}.jsonl`, ["no JSON at all"]),
    dropFile("batch-empty-file", "empty.jsonl", []),
    dropFile("batch-checked", "letters.jsonl", [long, chatLine("letter-2", "Short")]),
    { name: "files", address: "/files", reach: async () => {} },
    {
      name: "delete-file",
      address: "/files",
      reach: async (page) =>
        page
          .getByRole("button", { name: /^Delete/ })
          .first()
          .click(),
    },
    { name: "no-such-call", address: "/requests/req_gone", reach: async () => {} },
    { name: "no-such-batch", address: "/batches/batch_gone", reach: async () => {} },
  ];
}

function dropFile(name: string, file: string, lines: readonly string[]): State {
  return {
    name,
    address: "/batches?open=new-batch",
    reach: async (page: Page) => {
      const buffer = Buffer.from(lines.join("\n"));
      await page
        .getByLabel(/Drop a JSONL file/)
        .setInputFiles({ name: file, mimeType: "application/jsonl", buffer });
      await page
        .getByRole("dialog")
        .getByText(/^No batch can be made of|^Every line of/)
        .waitFor();
    },
  };
}
