/** The projects that cost most come first. */
export const bySpent = { column: "spent_amount", descending: true };
