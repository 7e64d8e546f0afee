import { isHydrated } from "./early-entries";

/**
 * A button that was pressed, a form that was sent, or a message that Enter sends, before React had taken over its part
 * of the page.
 */
type EarlyPress = { control: HTMLElement; name: string; repeat: () => void; atMs: number; isReady: boolean };

/**
 * Identifies a press: if the control's name or text has changed, the press is not repeated. Runs as an inline script.
 */
function nameControl(control: HTMLElement): string {
  if (control instanceof HTMLTextAreaElement) return `${control.dataset.enterSends} ${control.value}`;
  return control.getAttribute("aria-label") ?? control.textContent;
}

/** The text area whose form this Enter sends; null for any other event. Runs as an inline script. */
function findEnteredField(event: Event): HTMLTextAreaElement | null {
  if (!(event instanceof KeyboardEvent) || event.key !== "Enter") return null;
  const { target } = event;
  if (!(target instanceof HTMLTextAreaElement) || !target.dataset.enterSends) return null;
  const isSent = !event.isComposing && !event.shiftKey && !event.altKey && target.value.trim() !== "";
  return isSent ? target : null;
}

/**
 * Whether what was typed has been taken over too: a message that can't be sent yet hasn't been. Runs as an inline
 * script.
 */
function isTextTakenOver(control: HTMLElement): boolean {
  const form = control instanceof HTMLTextAreaElement ? control.form : null;
  return !form?.querySelector("[type=submit]:disabled");
}

/** Runs as an inline script, where nothing of this module exists. So it gets what it needs as arguments. */
function repeatEarlyPresses(
  isTakenOver: typeof isHydrated,
  readName: typeof nameControl,
  findSentField: typeof findEnteredField,
  isUpToDate: typeof isTextTakenOver,
): void {
  const [LOOK_MS, FORGET_MS] = [50, 20_000];
  let pressed: EarlyPress | null = null;
  let timer = 0;
  const isUsable = (control: HTMLElement) => {
    const dialog = document.querySelector("dialog:modal");
    return control.isConnected && !control.matches(":disabled") && (!dialog || dialog.contains(control));
  };
  function forget() {
    pressed?.control.removeAttribute("data-early");
    pressed?.control.removeAttribute("aria-busy");
    pressed = null;
    clearTimeout(timer);
  }
  function look() {
    if (!pressed) return;
    const { control, name, repeat, atMs, isReady } = pressed;
    if (!isUsable(control) || readName(control) !== name || performance.now() - atMs > FORGET_MS) forget();
    // The time until the next look lets fields take over what was typed.
    else if (isReady && isUpToDate(control)) {
      forget();
      repeat();
    } else pressed.isReady = isTakenOver(control);
    if (pressed) timer = window.setTimeout(look, LOOK_MS);
  }
  function remember(control: HTMLElement, repeat: () => void) {
    forget();
    pressed = { control, name: readName(control), repeat, atMs: performance.now(), isReady: false };
    control.setAttribute("data-early", "");
    control.setAttribute("aria-busy", "true");
    timer = window.setTimeout(look, LOOK_MS);
  }
  function onClick(event: MouseEvent) {
    if (!event.isTrusted) return;
    forget();
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button || (button.form && button.type === "submit") || button.matches("[data-opens=palette]"))
      return;
    if (isTakenOver(button)) return;
    event.preventDefault();
    remember(button, () => button.click());
  }
  function onSubmit(event: SubmitEvent) {
    const form = event.target as HTMLFormElement;
    // Other forms work without a script.
    if (form.getAttribute("method") !== "dialog" || isTakenOver(form)) return;
    event.preventDefault();
    remember(event.submitter ?? form, () => form.requestSubmit(event.submitter));
  }
  /** What is typed after a press shows that it is no longer waited for. */
  function onType(event: Event) {
    const isModifier =
      event instanceof KeyboardEvent && ["Shift", "Control", "Alt", "Meta"].includes(event.key);
    if (event.isTrusted && !isModifier) forget();
    const field = event.isTrusted ? findSentField(event) : null;
    if (!field || isTakenOver(field)) return;
    event.preventDefault();
    remember(field, () => field.form?.requestSubmit());
  }
  window.addEventListener("click", onClick, { capture: true });
  window.addEventListener("submit", onSubmit, { capture: true });
  window.addEventListener("keydown", onType, { capture: true });
  window.addEventListener("pagehide", onType, { capture: true });
}

/**
 * A script that holds the last press on a button, or the sending of a `<ScriptForm>`, until React has taken it over,
 * and repeats it once; not if anything was pressed or typed since, or the button has gone or changed. Enter in a text
 * area with `data-enter-sends` sends its form, unless its text or that attribute has changed by then.
 */
export const earlyPressScript = `(${repeatEarlyPresses})(${isHydrated}, ${nameControl}, ${findEnteredField}, ${isTextTakenOver})`;
