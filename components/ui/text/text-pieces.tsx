import { memo } from "react";
import { splitText } from "./split-text";

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
