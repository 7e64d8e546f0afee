/**
 * Runs in the browser and is written into the page as source, so it may use nothing outside itself. It filters the page
 * by the words typed, opens the operation in the address's fragment, and focuses the search on `/`.
 */
export function searchReference(): void {
  const search = document.querySelector<HTMLInputElement>("#search");
  const found = document.querySelector("#found");
  const entries = [...document.querySelectorAll<HTMLElement>("[data-entry]")].map((element) => ({
    element,
    text: (element.dataset.entry ?? "").toLowerCase(),
  }));
  const groups = [...document.querySelectorAll<HTMLElement>("[data-group]")];
  if (!search || !found) return;

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { element, text } of entries) element.hidden = !words.every((word) => text.includes(word));
    for (const group of groups) group.hidden = !group.querySelector("[data-entry]:not([hidden])");
    const count = entries.filter(({ element }) => !element.hidden).length;
    found.textContent = words.length === 0 ? "" : `${count} of ${entries.length} found`;
  };
  const openNamed = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (named instanceof HTMLDetailsElement) named.open = true;
    named?.scrollIntoView();
  };

  search.addEventListener("input", filter);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      search.value = "";
      filter();
    }
    if (event.key !== "Enter") return;
    // The same key press would activate the link that gets the focus.
    event.preventDefault();
    const first = entries.find(({ element }) => !element.hidden)?.element;
    first?.querySelector<HTMLElement>("summary, a")?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement === search) return;
    event.preventDefault();
    search.focus();
  });
  addEventListener("hashchange", openNamed);
  if (location.hash) openNamed();
  filter();
}
