import { Kbd } from "../ui/kbd";
import { findScreen } from "./navigation/find-screen";
import { navigation } from "./navigation/navigation";

const shortcuts = [
  { keys: ["Ctrl or ⌘", "K"], does: "Search screens, objects by name or id, and actions" },
  { keys: ["[", "]"], does: "Open the tab beside this one" },
  { keys: ["?"], does: "Show these shortcuts" },
  { keys: ["Enter"], does: "Send the form, or open the row" },
  { keys: ["Esc"], does: "Close what is open; asks if there is unsaved input" },
  { keys: ["↑", "↓"], does: "Choose in menus and in the search" },
];

/** The letters that open the entries. */
const letters = navigation
  .flat()
  .map(({ letter, label }) => ({ keys: ["G", letter.toUpperCase()], does: label }));

/** Shortcuts of some screens. */
const screens = [
  {
    labels: ["Requests", "Tasks", "Audit log", "Balance"],
    name: "In the panel beside the list",
    shortcuts: [
      { keys: ["J"], does: "Show the next row" },
      { keys: ["K"], does: "Show the previous row" },
    ],
  },
  {
    labels: ["Rate limits"],
    name: "In the grid of limits",
    shortcuts: [
      { keys: ["Enter"], does: "Edit the cell, then go down; on a name, open its form" },
      { keys: ["Tab"], does: "Go right, after an edit too" },
      { keys: ["F2"], does: "Edit at the end of the text" },
      { keys: ["Esc"], does: "Take the typing back" },
      { keys: ["Shift", "↓"], does: "Select; also with the other arrows" },
      { keys: ["Ctrl", "↓"], does: "Jump to the next limit set by hand; also with the other arrows" },
      { keys: ["Ctrl", "Enter"], does: "Set the whole selection" },
      { keys: ["Ctrl", "D"], does: "Fill down" },
      { keys: ["Ctrl", "R"], does: "Fill right" },
      { keys: ["Delete"], does: "Go back to the default" },
      { keys: ["Ctrl", "Z"], does: "Undo in the draft; with Shift, redo" },
    ],
  },
  {
    labels: ["Chat"],
    name: "In the playground",
    shortcuts: [
      { keys: ["Enter"], does: "Send the message to every pane" },
      { keys: ["Shift", "Enter"], does: "Start a new line" },
      { keys: ["Esc"], does: "Stop the answers" },
      { keys: ["Alt", "N"], does: "Start a new conversation" },
      { keys: ["Alt", "P"], does: "Add a pane" },
      { keys: ["Alt", "Enter"], does: "Add the message without sending it" },
      { keys: ["Alt", "."], does: "Go to the next pane" },
      { keys: ["Alt", ","], does: "Go to the previous pane" },
      { keys: ["Alt", "S"], does: "Fold or show the settings" },
      { keys: ["←", "→"], does: "Move a divider that has the focus" },
    ],
  },
];

/** The shortcuts of all screens, and those of the screen at `pathname`. */
export function ShortcutLists({ pathname }: { pathname: string }) {
  const own = screens.find(({ labels }) => labels.includes(findScreen(pathname)?.screen.label ?? ""));
  return (
    <>
      <ShortcutList shortcuts={shortcuts} />
      <h3 className="mt-5 mb-2.5 font-medium">Open an entry</h3>
      <div className="columns-2 gap-x-6">
        <ShortcutList shortcuts={letters} />
      </div>
      {own && (
        <>
          <h3 className="mt-5 mb-2.5 font-medium">{own.name}</h3>
          <ShortcutList shortcuts={own.shortcuts} />
        </>
      )}
    </>
  );
}

function ShortcutList({ shortcuts: shownShortcuts }: { shortcuts: typeof shortcuts }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-6 gap-y-2.5">
      {shownShortcuts.map(({ keys, does }) => (
        <div key={does} className="contents">
          <dt className="flex gap-1">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
