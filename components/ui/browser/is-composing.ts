import type { KeyboardEvent as ReactKeyboardEvent } from "react";

type PressedKey = Pick<KeyboardEvent, "isComposing" | "keyCode">;

/** An input method has code 229 for its keys. In Safari, the Enter that confirms a composition comes after its end. */
const INPUT_METHOD_CODE = 229;

/**
 * Returns true if a key belongs to an input method: its Enter confirms and its Escape closes the candidates, and
 * neither does more.
 */
export function isComposing(event: PressedKey | Pick<ReactKeyboardEvent, "nativeEvent">): boolean {
  const { isComposing: isPart, keyCode } = "nativeEvent" in event ? event.nativeEvent : event;
  return isPart || keyCode === INPUT_METHOD_CODE;
}
