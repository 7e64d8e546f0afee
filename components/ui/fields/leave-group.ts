"use client";

import type { FocusEvent } from "react";

/**
 * For several controls that form one field: calls `onLeave` when the focus leaves the group, but not when it moves
 * within it.
 */
export function leaveGroup(onLeave: () => void) {
  return {
    // Makes the group focusable, so that a click between its controls keeps the focus inside.
    tabIndex: -1,
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) onLeave();
    },
  };
}
