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
