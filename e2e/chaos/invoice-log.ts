import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";

/** What the provider will be paid for one call. */
export interface Invoice {
  readonly nonce: string;
  readonly promptTokens: number;
  /** Those generated so far. */
  readonly completionTokens: number;
}

/** The provider's book of what it invoices, a line for each step. What is appended is on disk when its promise resolves. */
export async function openInvoiceLog(path: string) {
  const file = await open(path, "a");
  let waiting: { line: string; resolve: () => void }[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      await file.write(lines.map(({ line }) => line).join(""));
      await file.datasync();
      for (const { resolve } of lines) resolve();
    }
    isWriting = false;
  }

  return {
    append: (invoice: Invoice) =>
      new Promise<void>((resolve) => {
        waiting.push({ line: `${JSON.stringify(invoice)}\n`, resolve });
        if (!isWriting) void write();
      }),
  };
}

/** The last word on each call, by its nonce. */
export function readInvoices(path: string): Map<string, Invoice> {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const invoices = lines.map((line) => JSON.parse(line) as Invoice);
  return new Map(invoices.map((invoice) => [invoice.nonce, invoice]));
}
