import { Search } from "lucide-react";
import type { KeyboardEvent } from "react";

type MenuSearchProps = {
  label: string;
  text: string;
  setText: (text: string) => void;
  /** Enter: the first entry found is chosen. */
  chooseFirst: () => void;
  /** Arrow down: on to the entries. */
  goOn: () => void;
};

/** Above the entries of a long menu: letters typed here leave those whose words begin with them. */
export function MenuSearch({ label, text, setText, chooseFirst, goOn }: MenuSearchProps) {
  function onKeyDown(event: KeyboardEvent) {
    const act = { Enter: chooseFirst, ArrowDown: goOn }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
    // The menu's own keys, the first letters of an entry above all, are the entries'.
    if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
  }
  return (
    <div className="sticky -top-1 z-1 -mx-1 -mt-1 mb-1 border-b bg-overlay p-2">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-4 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="field h-8 pl-8 pointer-coarse:h-11"
      />
    </div>
  );
}
