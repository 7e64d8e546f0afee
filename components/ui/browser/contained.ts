import type { SyntheticEvent } from "react";

const stay = (event: SyntheticEvent) => event.stopPropagation();

/**
 * Props for overlays. React bubbles events of a portal to the form, row or menu that rendered it; these handlers stop
 * them.
 */
export const contained = {
  onBlur: stay,
  onChange: stay,
  onCopy: stay,
  onCut: stay,
  onClick: stay,
  onFocus: stay,
  onInput: stay,
  onKeyDown: stay,
  onKeyUp: stay,
  onPaste: stay,
  onReset: stay,
  onSubmit: stay,
};
