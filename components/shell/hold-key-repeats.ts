/**
 * A key that is held down acts where it went down and nowhere else: it has closed a dialog there, stopped an answer or gone
 * to another screen, and the focus may be on a form by now that its repetition would send.
 */
export function holdKeyRepeats(): () => void {
  let begunOn: EventTarget | null = null;

  function hold(event: KeyboardEvent) {
    if (!event.repeat) {
      begunOn = event.target;
    } else if ((event.key === "Enter" || event.key === " ") && event.target !== begunOn) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }
  window.addEventListener("keydown", hold, { capture: true });
  return () => window.removeEventListener("keydown", hold, { capture: true });
}
