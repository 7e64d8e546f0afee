import { expect, test } from "bun:test";
import { enterModal, leaveModal, subscribeToModals, topmostModal } from "./open-modals";

test("the topmost dialog is the one shown last, whichever of them is closed first", () => {
  const [form, question] = [{}, {}] as [Element, Element];
  const seen: (Element | null)[] = [];
  const leave = subscribeToModals(() => seen.push(topmostModal()));
  expect(topmostModal()).toBeNull();
  enterModal(form);
  enterModal(question);
  // The browser closed it without being asked, and it is shown again.
  enterModal(form);
  leaveModal(form);
  leaveModal(question);
  leave();
  enterModal(form);
  leaveModal(form);
  expect(seen).toEqual([form, question, form, question, null]);
});
