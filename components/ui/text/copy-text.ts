/** What the person is told. */
export const copyOutcomes = {
  copied: "Copied",
  refused: "Could not copy: select the text and copy it by hand",
};

/** Writes text to the clipboard. Returns false if the browser refuses, as it may on plain http other than localhost. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyThroughSelection(text);
  }
}

function copyThroughSelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.style.position = "fixed";
  area.style.opacity = "0";
  const host = document.activeElement?.closest("dialog") ?? document.body;
  const focusedElement = document.activeElement;
  host.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focusedElement instanceof HTMLElement) focusedElement.focus();
  return isCopied;
}
