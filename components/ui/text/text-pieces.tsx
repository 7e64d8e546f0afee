import { memo } from "react";

/**
 * A long text as blocks of its own lines, so that a browser lays out again only the last one while the text grows. The
 * parent keeps white space (`pre` or `pre-wrap`).
 */
export function TextPieces({ text, cutsLines = false }: { text: string; cutsLines?: boolean }) {
  const pieces = splitText(text, { cutsLines });
  return pieces.length === 1 ? text : pieces.map((piece, index) => <Piece key={index} text={piece} />);
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <span className="block">{text}</span>;
});

const PIECE_LENGTH = 4_000;
/** If a line has no space, it is cut after this many more characters. */
const MAX_OVERRUN_LENGTH = 2_000;

/**
 * Splits a text after every 4,000 characters, at the end of a line between two lines with text. Pieces stay as they are
 * while text is appended.
 * @param cutsLines whether longer lines are split too, at a space.
 */
export function splitText(text: string, { cutsLines = false } = {}): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > PIECE_LENGTH + MAX_OVERRUN_LENGTH) {
    const pieceEnd = findPieceEnd(text, from + PIECE_LENGTH, { cutsLines });
    if (pieceEnd === null) break;
    pieces.push(text.slice(from, pieceEnd.at));
    from = pieceEnd.at + pieceEnd.skippedCharacters;
  }
  return [...pieces, text.slice(from)];
}

type PieceEnd = { readonly at: number; readonly skippedCharacters: 0 | 1 };

function findPieceEnd(text: string, from: number, { cutsLines }: { cutsLines: boolean }): PieceEnd | null {
  const end = cutsLines ? from + MAX_OVERRUN_LENGTH : text.length;
  for (let at = text.indexOf("\n", from); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    // A blank line at the edge of a block would not be shown.
    const after = text[at + 1];
    if (text[at - 1] !== "\n" && after !== undefined && after !== "\n") return { at, skippedCharacters: 1 };
  }
  if (!cutsLines) return null;
  const space = text.indexOf(" ", from);
  if (space !== -1 && space < end) return { at: space, skippedCharacters: 1 };
  return { at: isLowSurrogate(text, end) ? end + 1 : end, skippedCharacters: 0 };
}

/** Whether a cut here would divide a character. */
function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
