import type { KeyboardEvent } from "react";
import { isComposing } from "../browser/is-composing";
import { SearchBox } from "../search-box";

type MenuSearchProps = {
  label: string;
  text: string;
  setText: (text: string) => void;
  /** Selects the first match. Called on Enter. */
  chooseFirst: () => void;
  /** Moves to the entries. Called on arrow down. */
  goOn: () => void;
};

/** The search above a long menu. Shows only entries that match what is typed. */
export function MenuSearch({ label, text, setText, chooseFirst, goOn }: MenuSearchProps) {
  function onKeyDown(event: KeyboardEvent) {
    const act = { Enter: chooseFirst, ArrowDown: goOn }[event.key];
    if (act && !isComposing(event)) {
      event.preventDefault();
      act();
    }
    // Keep keys from the menu, which would treat letters as a jump to an entry.
    if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
  }
  return (
    <div className="sticky -top-1 z-1 -mx-1 -mt-1 mb-1 border-b bg-overlay p-2">
      <SearchBox label={label} text={text} setText={setText} onKeyDown={onKeyDown} />
    </div>
  );
}
