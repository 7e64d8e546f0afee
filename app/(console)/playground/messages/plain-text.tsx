import { classNames } from "@/components/ui/class-names";
import { TextPieces } from "@/components/ui/text/text-pieces";

/** A browser takes seconds to break a longer word where it fits best, but not to break it anywhere. */
const LONG_WORD = /\S{1000}/;

/** Text as it is written, of any length. */
export function PlainText({ text }: { text: string }) {
  return (
    <p
      className={classNames(
        "leading-6 whitespace-pre-wrap",
        LONG_WORD.test(text) ? "break-all" : "break-words",
      )}
    >
      <TextPieces text={text} cutsLines />
    </p>
  );
}
