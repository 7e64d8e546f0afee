import { useEffect, useRef } from "react";

/**
 * While a form is frozen, its fields keep what was sent: typed later, it would be lost with the dialog that closes when
 * the form is saved. Unlike disabled fields they keep the focus, and can be left and copied from.
 */
export function useFrozen(isFrozen: boolean) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const { current } = form;
    if (!isFrozen || !current) return;
    const ended = new AbortController();
    const options = { capture: true, signal: ended.signal };
    for (const type of ["beforeinput", "paste", "drop"] as const)
      current.addEventListener(type, refuse, options);
    current.addEventListener("click", (event) => !isLink(event.target) && refuse(event), options);
    current.addEventListener("mousedown", (event) => isSelect(event.target) && refuse(event), options);
    current.addEventListener("keydown", (event) => !isHarmless(event) && refuse(event), options);
    return () => ended.abort();
  }, [isFrozen]);
  return form;
}

function refuse(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

const isLink = (target: EventTarget | null) => target instanceof Element && target.closest("a") !== null;

/** A select opens its list when the mouse is pressed, before it is clicked. */
const isSelect = (target: EventTarget | null) => target instanceof HTMLSelectElement;

const isHarmless = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  key === "Tab" || key === "Escape" || ctrlKey || metaKey;
