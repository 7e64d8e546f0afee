import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";

/** What the provider charges for one call. */
export interface Invoice {
  readonly nonce: string;
  readonly promptTokens: number;
  /** The tokens generated so far. */
  readonly completionTokens: number;
  /** Whether the call has just arrived. */
  readonly isArrival: boolean;
  /** Set where the provider failed and charges nothing. */
  readonly isWaived?: boolean;
  /** Set where the connection broke, so that only the client knows how much of the reply arrived. */
  readonly isLost?: boolean;
}

/** The provider's log of its invoices, with a line for each step. Lines are on disk once `append` resolves. */
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

/** An invoice, and how often its call was sent to the provider. */
export interface SentInvoice extends Invoice {
  readonly sent: number;
}

/** The last invoice of each call, by its nonce. */
export function readInvoices(path: string): Map<string, SentInvoice> {
  const invoices = new Map<string, SentInvoice>();
  for (const line of readFileSync(path, "utf8").split("\n").filter(Boolean)) {
    const invoice = JSON.parse(line) as Invoice;
    const { sent = 0 } = invoices.get(invoice.nonce) ?? {};
    invoices.set(invoice.nonce, { ...invoice, sent: sent + (invoice.isArrival ? 1 : 0) });
  }
  return invoices;
}
