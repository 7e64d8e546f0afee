import type { Transaction } from "../../changes/transaction";

/** The SHA-256 of each file that was moved to the bucket, in hexadecimal digits. */
export interface DigestStore {
  /** Null for a file that was moved before digests were stored. */
  find(id: string, position: number): Promise<string | null>;
  keep(transaction: Transaction, id: string, position: number, sha256: string): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
}
