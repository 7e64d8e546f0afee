/**
 * Keeps the focus on the page after a dialog has returned it. The element it returned to may be gone with the same
 * change, or once a list is read again, such as the button of an empty list.
 */
export function keepReturnedFocus(): void {
  focusMainIfLost();
  const returned = document.activeElement;
  const check = () => {
    if (returned?.isConnected && document.activeElement === returned) return;
    observer.disconnect();
    returned?.removeEventListener("blur", checkSoon);
    if (!returned?.isConnected) focusMainIfLost();
  };
  const checkSoon = () => queueMicrotask(check);
  const observer = new MutationObserver(check);
  observer.observe(document.body, { childList: true, subtree: true });
  returned?.addEventListener("blur", checkSoon);
}

/** The next Tab then reaches the first control of the screen instead of the first of the page. */
function focusMainIfLost(): void {
  if (document.activeElement !== document.body || document.querySelector("dialog:modal")) return;
  document.getElementById("main")?.focus({ preventScroll: true });
}
