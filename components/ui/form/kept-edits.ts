/** When others save an object that is being edited: their values are taken over, except in fields edited here. */
export const keptEdits = {
  keepDirtyValues: true,
  keepErrors: true,
  keepTouched: true,
  keepSubmitCount: true,
  keepIsSubmitted: true,
} as const;
