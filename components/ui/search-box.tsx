import { Search } from "lucide-react";
import type { KeyboardEventHandler, Ref } from "react";

type SearchBoxProps = {
  /** The accessible name, and the placeholder if there is no other: "Search models". */
  label: string;
  placeholder?: string;
  text: string;
  setText: (text: string) => void;
  onKeyDown?: KeyboardEventHandler;
  ref?: Ref<HTMLInputElement>;
  /** The classes of the input, in place of the default ones. */
  className?: string;
};

export function SearchBox(props: SearchBoxProps) {
  const {
    label,
    placeholder = label,
    text,
    setText,
    className = "field h-8 pl-8 pointer-coarse:h-11",
    ...input
  } = props;
  return (
    <div className="relative">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        {...input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={className}
      />
    </div>
  );
}
