import { formatBytes } from "@/lib/contract/format-bytes";
import { MAX_LINE_BYTES } from "@/lib/contract/operations/tasks/batches";
import { invalid } from "../../refusal";

/** A line of a file, without its line end. */
export interface FileLine {
  /** 1 for the first line. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Where the next line begins. */
  readonly endsAt: number;
}

const NEWLINE = 10;

/**
 * Reads the lines of a file from the byte `at`, where line `number + 1` begins, and skips blank ones.
 * @throws Refusal 400 for a line that is too long.
 */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  { at, number }: { at: number; number: number },
): AsyncGenerator<FileLine> {
  let pendingPieces: Uint8Array[] = [];
  let restBytes = 0;
  let [endsAt, line] = [at, number];
  const take = (last: Uint8Array, withNewline: boolean): FileLine => {
    if (restBytes + last.byteLength > MAX_LINE_BYTES) throw tooLong(line + 1);
    const bytes = pendingPieces.length === 0 ? last : Buffer.concat([...pendingPieces, last]);
    [pendingPieces, restBytes] = [[], 0];
    endsAt += bytes.byteLength + Number(withNewline);
    return { number: ++line, bytes, endsAt };
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      const found = take(piece.subarray(from, end), true);
      from = end + 1;
      if (!isBlank(found.bytes)) yield found;
    }
    const tail = piece.subarray(from);
    restBytes += tail.byteLength;
    if (restBytes > MAX_LINE_BYTES) throw tooLong(line + 1);
    if (tail.byteLength > 0) pendingPieces.push(tail);
  }
  if (restBytes === 0) return;
  const last = take(new Uint8Array(), false);
  if (!isBlank(last.bytes)) yield last;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.byteLength < 100 && Buffer.from(bytes).toString().trim() === "";
}

function tooLong(line: number) {
  const message = `Line ${line} of the file is longer than ${formatBytes(MAX_LINE_BYTES)}. Send it as a call of its own.`;
  return invalid("input_file_id", message, "invalid_batch_line");
}
