import type { SyntheticEvent } from "react";

const stay = (event: SyntheticEvent) => event.stopPropagation();

/**
 * For what lies over a page: React lets its events rise to the form, the row or the menu that opened it, which is no part
 * of it. What happens in here stays here.
 */
export const contained = {
  onBlur: stay,
  onChange: stay,
  onClick: stay,
  onFocus: stay,
  onInput: stay,
  onKeyDown: stay,
  onKeyUp: stay,
  onPaste: stay,
  onReset: stay,
  onSubmit: stay,
};
