import { askToLeave, isAnythingUnsaved } from "./unsaved";

/**
 * Holds what the browser does by itself while something is unsaved: links, back and forward, a reload, the closing of the
 * tab. What the console does itself calls `askToLeave`.
 */
export function holdWaysOut(goTo: (href: string) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;

  window.addEventListener("beforeunload", (event) => isAnythingUnsaved() && event.preventDefault(), {
    signal,
  });

  function holdLink(event: MouseEvent) {
    const href = linkThatLeaves(event);
    if (!href || !isAnythingUnsaved()) return;
    event.preventDefault();
    event.stopPropagation();
    askToLeave(() => goTo(href));
  }
  document.addEventListener("click", holdLink, { capture: true, signal });

  // Where the browser has the Navigation API; elsewhere the back button is not held.
  function holdTraversal(event: NavigateEvent) {
    if (event.navigationType !== "traverse" || !event.cancelable || !isAnythingUnsaved()) return;
    event.preventDefault();
    const { key } = event.destination;
    askToLeave(() => window.navigation.traverseTo(key));
  }
  window.navigation?.addEventListener("navigate", holdTraversal, { signal });
  return () => controller.abort();
}

/** The address of a plain click on a link to another page of this console. */
function linkThatLeaves(event: MouseEvent): string | undefined {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!plain || !link || (link.target && link.target !== "_self") || link.hasAttribute("download"))
    return undefined;
  if (link.origin !== location.origin || link.pathname === location.pathname) return undefined;
  return link.pathname + link.search + link.hash;
}
