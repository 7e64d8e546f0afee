/**
 * Whether React handles the events of this element, and in a form with what was saved and typed. Inline scripts contain
 * this function, so it needs nothing of this module.
 */
export function isHydrated(element: Element): boolean {
  // React handles the events of a `<ScriptForm>` and of the playground before their effects have run.
  if (element.closest("[data-taking-over]")) return false;
  if (!Object.keys(element).some((key) => key.startsWith("__reactProps$"))) return false;
  // React stops events on their way to what it has begun, but not finished, to take over. It handles this one the same
  // way.
  let isReached = false;
  const reach = () => {
    isReached = true;
  };
  element.addEventListener("touchcancel", reach);
  element.dispatchEvent(new Event("touchcancel", { bubbles: true }));
  element.removeEventListener("touchcancel", reach);
  return isReached;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Runs as an inline script, where nothing of this module exists. So it gets what it needs as an argument. */
function reenterEarlyEntries(isTakenOver: typeof isHydrated): void {
  /** A press is repeated after a longer wait, so that a form is sent with what was chosen in it. */
  const LOOK_MS = 16;
  const entered = new Map<Control, string | boolean>();
  const finished = new WeakSet<Control>();

  const isBox = (control: Control): control is HTMLInputElement =>
    control.type === "checkbox" || control.type === "radio";
  const readEntry = (control: Control) => (isBox(control) ? control.checked : control.value);

  /** What React takes for the control's value. Undefined if it leaves the value to the browser. */
  function readBelief(control: Control): unknown {
    const key = Object.keys(control).find((name) => name.startsWith("__reactProps$"));
    const props = key && (control as unknown as Record<string, Record<string, unknown>>)[key];
    return props ? props[isBox(control) ? "checked" : "value"] : undefined;
  }
  function reenter(control: Control, entry: string | boolean) {
    const belief = readBelief(control);
    if (belief === undefined || belief === null || belief === entry || control.disabled) return;
    // A message follows the one that was half written.
    if (String(belief).endsWith(`\n${entry}`)) return;
    if (isBox(control)) {
      control.checked = !entry;
      control.click();
      return;
    }
    if (control.value !== entry) control.value = String(entry);
    // React ignores events of fields whose value it has seen already.
    (control as { _valueTracker?: { setValue(value: string): void } })._valueTracker?.setValue(`${entry} `);
    control.dispatchEvent(
      new Event(control.type.startsWith("select") ? "change" : "input", { bubbles: true }),
    );
  }
  function look() {
    for (const [control, entry] of entered) {
      if (control.isConnected && !isTakenOver(control)) continue;
      entered.delete(control);
      // The page's effects may load saved values first.
      if (control.isConnected) setTimeout(() => finished.has(control) || reenter(control, entry));
    }
    if (entered.size > 0) setTimeout(look, LOOK_MS);
  }
  function onInput({ target }: Event) {
    const control = target as Control;
    if (finished.has(control)) return;
    if (isTakenOver(control)) {
      finished.add(control);
      entered.delete(control);
      return;
    }
    if (entered.size === 0) setTimeout(look, LOOK_MS);
    entered.set(control, readEntry(control));
  }
  window.addEventListener("input", onInput, { capture: true });
}

/**
 * A script that holds what is typed, chosen or ticked until React has taken over its field, and then enters it again:
 * React would otherwise show and send its own value. Form fields with `useEarlyEntry` have it by then.
 */
export const earlyEntryScript = `(${reenterEarlyEntries})(${isHydrated})`;
