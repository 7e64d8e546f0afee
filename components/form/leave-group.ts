import type { FocusEvent } from "react";

/** For a group of controls that are one field: `onLeave` is called when the focus leaves the group, not while it moves within. */
export function leaveGroup(onLeave: () => void) {
  return {
    // Whoever presses beside a box in the group stays in it.
    tabIndex: -1,
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) onLeave();
    },
  };
}
